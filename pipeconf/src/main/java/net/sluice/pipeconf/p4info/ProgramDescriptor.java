package net.sluice.pipeconf.p4info;

import java.util.List;

/** A compiled program: what entries and counters can be named in P4Runtime. */
public interface ProgramDescriptor {
  /** Name of the P4 architecture, e.g. {@code v1model}. */
  String architecture();

  /** SHA-256 of the sources, as {@code p4/compile.sh --stamp} prints it. */
  String sourcesSha256();

  /** The tables that a controller writes. */
  List<TableDescriptor> tables();

  /** The indirect counters. */
  List<CounterDescriptor> counters();
}
