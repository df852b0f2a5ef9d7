package net.sluice.emulator.v1model.table;

/** The match kind of a table key's field. */
public enum MatchKind {
  /** Equal to the entry's value. */
  EXACT,
  /** Equal in the entry's leading bits. */
  LPM,
  /** Equal in the bits that the entry's mask sets. */
  TERNARY,
  /** Between the entry's low and high value, both included, unsigned. */
  RANGE,
  /** Equal to the entry's value, or a wildcard. */
  OPTIONAL
}
