package net.sluice.pipeconf.p4info;

import java.util.List;

/** A table of the program. */
public interface TableDescriptor {
  /** P4Runtime's number of the table. */
  int id();

  /** Full name in the program. */
  String name();

  /** Entries the program has room for. */
  int size();

  /** Its match fields, in the order of P4Info. */
  List<MatchField> matchFields();

  /** The actions an entry may have. */
  List<ActionDescriptor> actions();
}
