package net.sluice.intents.share;

import net.sluice.intents.value.InvalidValueException;

/**
 * A rate limit that several subscribers are under, of a tree or of a BNG port.
 *
 * @param rateBps what passes, bit/s, 0 or more; infinite for all
 * @param sharing how it is divided among them
 */
public record SharedLimit(double rateBps, Sharing sharing) {
  /** How a limit is divided among subscribers that offer more than it together. */
  public enum Sharing {
    /** Each gets the same, or what it offers: an FPGA has a queue for each and takes turns. */
    EQUAL,

    /** The limit drops without looking at senders, so each keeps the same part. */
    AS_OFFERED
  }

  public SharedLimit {
    if (!(rateBps >= 0)) {
      throw new InvalidValueException("rateBps", rateBps, "0 or more");
    }
  }
}
