package net.sluice.intents.plan;

/** The effect of a write on a table entry. */
public enum Op {
  /** The key is new. */
  INSERT,
  /** The key exists with other data. */
  MODIFY,
  /** The key exists and goes. */
  DELETE
}
