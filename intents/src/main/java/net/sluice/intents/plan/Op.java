package net.sluice.intents.plan;

/** What a write does to a table entry. */
public enum Op {
  /** The key is new. */
  INSERT,
  /** The key exists with other data. */
  MODIFY,
  /** The key exists and goes. */
  DELETE
}
