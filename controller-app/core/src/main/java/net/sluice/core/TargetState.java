package net.sluice.core;

/** How far a target has got with a declaration. */
public enum TargetState {
  /** The target holds everything the declaration needs. */
  INSTALLED,
  /** Writes are on their way, or wait for the target to come back. */
  PENDING,
  /** The target refused a write; it is tried again. */
  FAILED
}
