package net.sluice.core.declaration;

/** The type of a field's value. */
public enum ValueType {
  /** An {@code Integer}. */
  INT,
  /** A {@code Long}. */
  LONG,
  /** A {@code Double}. */
  DOUBLE,
  /** A {@code Boolean}. */
  FLAG,
  /** A {@code String}. */
  TEXT,
  /** A value of a {@link Scalar}. */
  SCALAR,
  /** A record that has a {@link Shape}. */
  RECORD,
  /** Such a record in an {@code OrTrue}. */
  RECORD_OR_TRUE,
  /** A {@code List}. */
  LIST,
  /** A {@code SortedMap} of texts by texts. */
  MAP
}
