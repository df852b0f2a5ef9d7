package net.sluice.pipeconf;

import java.util.Arrays;
import java.util.Optional;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.pipeconf.p4info.AggregateProgram;
import net.sluice.pipeconf.p4info.ProgramDescriptor;
import net.sluice.pipeconf.p4info.TnaProgram;
import net.sluice.pipeconf.p4info.V1ModelProgram;
import net.sluice.pipeconf.table.EntryCodec;

/**
 * The programs of this build: what each holds and how its entries and counters look in P4Runtime,
 * without what a switch loads.
 */
public enum CompiledProgram {
  /** For v1model: bmv2, Stratum on bmv2, and Sluice's emulated switch. */
  V1MODEL(
      "sluice-v1model",
      V1ModelProgram.DESCRIPTOR,
      V1ModelPipeline.createProfile(),
      MarkerLayout.undivided(MarkerLayout.MAX_SUBSCRIBERS),
      CounterCodec.of(V1ModelProgram.DESCRIPTOR)),
  /** The same with the markers of aggregates, and RIO. */
  AGGREGATE(
      "sluice-aggregate",
      AggregateProgram.DESCRIPTOR,
      V1ModelPipeline.createProfile(AggregateProgram.DESCRIPTOR),
      MarkerLayout.undivided(MarkerLayout.MAX_SUBSCRIBERS),
      CounterCodec.of(AggregateProgram.DESCRIPTOR)),
  /** For TNA: Stratum on Tofino. */
  TNA(
      "sluice-tna",
      TnaProgram.DESCRIPTOR,
      TnaPipeline.createProfile(),
      TnaPipeline.MARKERS,
      CounterCodec.of(TnaProgram.DESCRIPTOR, TnaPipeline.MARKERS));

  private final String programName;
  private final ProgramDescriptor descriptor;
  private final SwitchProfile profile;
  private final EntryCodec entries;
  private final CounterCodec counters;

  CompiledProgram(
      String programName,
      ProgramDescriptor descriptor,
      SwitchProfile profile,
      MarkerLayout markers,
      CounterCodec counters) {
    this.programName = programName;
    this.descriptor = descriptor;
    this.profile = profile;
    this.entries = new EntryCodec(descriptor, markers);
    this.counters = counters;
  }

  /** The one of a name; empty if there is none. */
  public static Optional<CompiledProgram> named(String name) {
    return Arrays.stream(values()).filter(program -> program.programName().equals(name)).findAny();
  }

  /** Name for people and logs, e.g. {@code sluice-v1model}. */
  public String programName() {
    return programName;
  }

  /** Its tables and counters, as P4Info describes them. */
  public ProgramDescriptor descriptor() {
    return descriptor;
  }

  /** Its capacities, with bins up to 100 Gbit/s as in paper 000. */
  public SwitchProfile profile() {
    return profile;
  }

  /** Table entries to P4Runtime and back. */
  public EntryCodec entries() {
    return entries;
  }

  /** Counters of P4Runtime. */
  public CounterCodec counters() {
    return counters;
  }
}
