package net.sluice.intents.model.policy;

import java.util.Objects;
import net.sluice.intents.field.Field;
import net.sluice.intents.field.Form;
import net.sluice.intents.model.aggregate.Aggregate;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.intents.value.Ranges;

/** How an egress queue is managed, as declared. */
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
   * RIO (Clark and Fang 1998): RED with a curve of its own for packets within their contract (IN)
   * and for all others (OUT), before they are queued. An IN packet is judged by the averaged number
   * of IN packets that wait, an OUT packet by that of all.
   *
   * @param inDscp codepoint of packets within their contract, 0 to 63
   * @param limitPackets packets that may wait, 1 to {@link #MAX_PACKETS}
   * @param weightShift weight of a packet in the averages, 2^-shift, 0 to 16
   * @param in curve of packets within
   * @param out curve of all others
   */
  record Rio(int inDscp, int limitPackets, int weightShift, RioCurve in, RioCurve out)
      implements Aqm {
    /** The field in place of {@code aqm}, and the first word of {@link #text}. */
    public static final String FIELD = "rio";

    /** Most packets that a threshold or the limit can have. */
    public static final int MAX_PACKETS = 10_000;

    /** With the defaults of ns-2, as in paper 003. */
    public Rio() {
      this(Aggregate.IN_DSCP, 50, 9, RioCurve.IN, RioCurve.OUT);
    }

    public Rio {
      Ranges.require("inDscp", inDscp, 0, 63);
      Ranges.require("limitPackets", limitPackets, 1, MAX_PACKETS);
      Ranges.require("weightShift", weightShift, 0, 16);
      Objects.requireNonNull(in, "in");
      Objects.requireNonNull(out, "out");
    }

    @Override
    public String text() {
      return FIELD + " in " + in.text() + ", out " + out.text() + ", at most " + limitPackets;
    }
  }

  /**
   * A curve of RED: no drops below {@code minPackets} waiting, all from {@code maxPackets} on, and
   * between them with a probability that grows to {@code maxProbability}.
   *
   * @param minPackets averaged number of packets, 0 to less than {@code maxPackets}
   * @param maxPackets likewise, at most {@link Rio#MAX_PACKETS}
   * @param maxProbability just below {@code maxPackets}, 0.01 to 1
   */
  @Form(
      name = "RioCurve",
      says =
          "No drops below minPackets waiting, all from maxPackets on, and between them with a"
              + " probability that grows to maxProbability.")
  record RioCurve(
      @Field(
              number = 1,
              says = "Averaged number of packets, less than maxPackets.",
              min = "0",
              max = "" + (Rio.MAX_PACKETS - 1))
          int minPackets,
      @Field(
              number = 2,
              says = "Averaged number of packets.",
              min = "1",
              max = "" + Rio.MAX_PACKETS)
          int maxPackets,
      @Field(number = 3, says = "Just below maxPackets.", min = "0.01", max = "1")
          double maxProbability) {
    /** The default of packets within their contract. */
    public static final RioCurve IN = new RioCurve(15, 30, 0.02);

    /** That of all others. */
    public static final RioCurve OUT = new RioCurve(5, 15, 0.2);

    public RioCurve {
      Ranges.require("maxPackets", maxPackets, 1, Rio.MAX_PACKETS);
      if (minPackets < 0 || minPackets >= maxPackets) {
        throw new InvalidValueException(
            "minPackets", minPackets, "0 to less than maxPackets, " + maxPackets);
      }
      if (!(maxProbability >= 0.01 && maxProbability <= 1)) {
        throw new InvalidValueException("maxProbability", maxProbability, "0.01 to 1");
      }
    }

    /** For people, e.g. {@code 5-15/0.2}. */
    public String text() {
      return minPackets + "-" + maxPackets + "/" + maxProbability;
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
