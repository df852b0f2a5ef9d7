package net.sluice.pipeconf.p4info;

/** A match field of a table; a type for each match kind that the program uses. */
public sealed interface MatchField {
  /** P4Runtime's number of the field within its table. */
  int id();

  /** Name within the table. */
  String name();

  /** Width. */
  int bits();

  /** A field that is part of every entry. */
  record Exact(int id, String name, int bits) implements MatchField {}

  /** A field of longest-prefix match; left out of entries that match everything. */
  record Lpm(int id, String name, int bits) implements MatchField {}

  /** A field of range match; left out of entries that match everything. */
  record Range(int id, String name, int bits) implements MatchField {}

  /** A field of ternary match; left out of entries that match everything. */
  record Ternary(int id, String name, int bits) implements MatchField {}
}
