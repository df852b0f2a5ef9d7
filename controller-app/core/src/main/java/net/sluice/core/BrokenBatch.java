package net.sluice.core;

/** The outcome of a declaration's writes that were under way when the target's session ended. */
public enum BrokenBatch {
  /** Not known which have arrived, until the target has been read back. */
  UNKNOWN,
  /** The target was read back and given the writes that had not arrived; none was undone. */
  RESUMED
}
