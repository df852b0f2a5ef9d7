package net.sluice.core.target;

/** The answer of a target to one write. */
public enum WriteCode {
  /** Done. */
  OK,
  /** Not inserted: the key is there. */
  ALREADY_EXISTS,
  /** Not modified or deleted: the key is not there. */
  NOT_FOUND,
  /** Refused for good: invalid, full, not permitted or an error of the target. */
  REFUSED,
  /** Not done for a passing reason; the session is given up and begun anew. */
  UNAVAILABLE
}
