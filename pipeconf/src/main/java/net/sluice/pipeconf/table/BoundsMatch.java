package net.sluice.pipeconf.table;

import p4.v1.P4RuntimeOuterClass.TableEntry;

/** The only field of a table's match: a range of numbers, in the way that the table can say it. */
interface BoundsMatch {
  /** A range, both ends included. */
  record Bounds(long low, long high) {}

  /** Adds the match on a range, both ends included; the whole range is left out. */
  void match(long low, long high, TableEntry.Builder into);

  /** The range that an entry matches. */
  Bounds read(TableEntry entry);
}
