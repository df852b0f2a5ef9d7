package net.sluice.intents.model;

import java.util.Objects;

/**
 * One contract for all flows of a subscriber in a direction: what is within the committed rate is
 * marked IN, the rest OUT.
 *
 * @param direction of the packets
 * @param committedBps committed rate (CIR), 1,000 bit/s to 10 Gbit/s
 * @param burstBits tokens of the bucket, at least a packet of 1,500 bytes, up to 16 s of the rate
 *     and 2^32 - 1
 * @param marker how flows share it
 * @param inDscp codepoint of IN, 0 to 63
 * @param outDscp codepoint of OUT, another one
 */
public record Aggregate(
    Direction direction,
    long committedBps,
    long burstBits,
    AggregateMarker marker,
    int inDscp,
    int outDscp) {
  /** AF11. */
  public static final int IN_DSCP = 10;

  /** AF12. */
  public static final int OUT_DSCP = 12;

  private static final long MIN_RATE_BPS = 1_000;
  private static final long MAX_RATE_BPS = 10_000_000_000L;

  /** A packet of 1,500 bytes in its frame. */
  private static final long MIN_BURST_BITS = 8 * 1_514;

  private static final long MAX_BURST_BITS = (1L << 32) - 1;

  /** The switch does not fill a bucket for longer. */
  private static final int MAX_FILL_SECONDS = 16;

  public Aggregate {
    Objects.requireNonNull(direction, "direction");
    Objects.requireNonNull(marker, "marker");
    require("committedBps", committedBps, MIN_RATE_BPS, MAX_RATE_BPS);
    require(
        "burstBits",
        burstBits,
        MIN_BURST_BITS,
        Math.max(MIN_BURST_BITS, Math.min(MAX_BURST_BITS, MAX_FILL_SECONDS * committedBps)));
    Ranges.require("inDscp", inDscp, 0, 63);
    Ranges.require("outDscp", outDscp, 0, 63);
    if (inDscp == outDscp) {
      throw new InvalidValueException("outDscp", outDscp, "another codepoint than inDscp");
    }
  }

  /** Of what a subscriber sends, with the codepoints AF11 and AF12. */
  public static Aggregate up(long committedBps, long burstBits, AggregateMarker marker) {
    return new Aggregate(Direction.UP, committedBps, burstBits, marker, IN_DSCP, OUT_DSCP);
  }

  private static void require(String field, long value, long low, long high) {
    if (value < low || value > high) {
      throw new InvalidValueException(field, value, low + " to " + high);
    }
  }
}
