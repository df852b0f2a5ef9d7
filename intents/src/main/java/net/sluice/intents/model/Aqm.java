package net.sluice.intents.model;

import java.util.Objects;

/** How the delay of an egress queue is managed, as declared. */
public sealed interface Aqm {
  /** The queue is not managed: it drops at its end only. */
  Aqm NONE = new Unmanaged();

  /** The text in place of a kind where a queue is not managed. */
  String NONE_TEXT = "none";

  /** For people, e.g. {@code codel-act 5000/100000 us}. */
  String text();

  /** See {@link #NONE}. */
  record Unmanaged() implements Aqm {
    @Override
    public String text() {
      return NONE_TEXT;
    }
  }

  /**
   * CoDel: packets are dropped at a pace that grows while the delay stays above the target.
   *
   * @param kind which form of it
   * @param targetMicros delay to stay below, microseconds, 1 to {@code intervalMicros}
   * @param intervalMicros how long the delay may be above the target before the first drop,
   *     microseconds, {@link #MIN_INTERVAL_MICROS} to {@link #MAX_INTERVAL_MICROS}; {@link
   *     #P4_CODEL_INTERVAL_MICROS} for {@link AqmKind#P4_CODEL}, which has no other
   * @param ecn whether packets of senders that understand ECN (RFC 3168) are marked instead
   */
  record CoDel(AqmKind kind, long targetMicros, long intervalMicros, boolean ecn) implements Aqm {
    /**
     * Shortest interval. The pipeline keeps a cycle's drops weighted with the square of {@code 2^22
     * us / interval} in 32 bits, which here hold 6,103 of them.
     */
    public static final long MIN_INTERVAL_MICROS = 5_000;

    /** Longest interval: beyond, that weight is too small a number to stand for it within 1 %. */
    public static final long MAX_INTERVAL_MICROS = 1_000_000;

    /** P4-CoDel's interval is in its table of square roots. */
    public static final long P4_CODEL_INTERVAL_MICROS = 100_000;

    public CoDel {
      Objects.requireNonNull(kind, "kind");
      if (kind == AqmKind.P4_CODEL && intervalMicros != P4_CODEL_INTERVAL_MICROS) {
        throw new InvalidValueException(
            "intervalMicros",
            intervalMicros,
            P4_CODEL_INTERVAL_MICROS + ", the only interval of " + kind.text());
      }
      if (intervalMicros < MIN_INTERVAL_MICROS || intervalMicros > MAX_INTERVAL_MICROS) {
        throw new InvalidValueException(
            "intervalMicros", intervalMicros, MIN_INTERVAL_MICROS + " to " + MAX_INTERVAL_MICROS);
      }
      if (targetMicros < 1 || targetMicros > intervalMicros) {
        throw new InvalidValueException(
            "targetMicros", targetMicros, "1 to " + intervalMicros + ", the interval");
      }
    }

    @Override
    public String text() {
      return kind.text()
          + " "
          + targetMicros
          + "/"
          + intervalMicros
          + " us"
          + (ecn ? " with ecn" : "");
    }
  }
}
