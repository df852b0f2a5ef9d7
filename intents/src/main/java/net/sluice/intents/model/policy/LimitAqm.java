package net.sluice.intents.model.policy;

import net.sluice.intents.model.policy.Aqm.CoDel;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.intents.value.Ranges;

/**
 * How the packets that wait under a rate limit are managed: by CoDel (RFC 8289), or not at all.
 *
 * @param codel whether CoDel drops by the time that packets wait; without it the others are unused
 * @param targetMicros wait to stay below, microseconds, 1 to {@code intervalMicros}
 * @param intervalMicros how long the wait may be above the target before the first drop,
 *     microseconds, {@link CoDel#MIN_INTERVAL_MICROS} to {@link CoDel#MAX_INTERVAL_MICROS}
 * @param ecn whether packets of senders that understand ECN (RFC 3168) are marked instead
 * @param l4s whether packets of scalable senders (RFC 9331) take a low-latency way
 */
public record LimitAqm(
    boolean codel, int targetMicros, int intervalMicros, boolean ecn, boolean l4s) {
  /** The text in the API of limits under which CoDel drops. */
  public static final String CODEL = "codel";

  /** RFC 8289's target, microseconds. */
  public static final int TARGET_MICROS = 5_000;

  /** RFC 8289's interval, microseconds. */
  public static final int INTERVAL_MICROS = 100_000;

  /** Of a limit for which nothing else is declared. */
  public static final LimitAqm DEFAULT =
      new LimitAqm(true, TARGET_MICROS, INTERVAL_MICROS, true, true);

  /** Packets wait as long as there is room. */
  public static final LimitAqm NONE =
      new LimitAqm(false, TARGET_MICROS, INTERVAL_MICROS, false, false);

  public LimitAqm {
    Ranges.require(
        "intervalMicros",
        intervalMicros,
        (int) CoDel.MIN_INTERVAL_MICROS,
        (int) CoDel.MAX_INTERVAL_MICROS);
    if (targetMicros < 1 || targetMicros > intervalMicros) {
      throw new InvalidValueException(
          "targetMicros", targetMicros, "1 to " + intervalMicros + ", the interval");
    }
  }

  /** For people, e.g. {@code codel 5000/100000 us with ecn, l4s}. */
  public String text() {
    return codel
        ? CODEL
            + " "
            + targetMicros
            + "/"
            + intervalMicros
            + " us"
            + (ecn ? " with ecn" : "")
            + (l4s ? ", l4s" : "")
        : Aqm.NONE_TEXT;
  }
}
