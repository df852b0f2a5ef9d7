package net.sluice.intents.model.aggregate;

import java.util.Objects;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.intents.value.Ranges;

/**
 * One contract for all flows of a subscriber in a direction: what is within the committed rate is
 * marked IN, the rest OUT.
 *
 * @param direction of the packets
 * @param cirBps committed rate, 1,000 bit/s to 10 Gbit/s
 * @param burstBytes tokens of the bucket, at least the largest packet, at most 16 s of the rate and
 *     536,870,911
 * @param marker how flows share it
 * @param inDscp codepoint of IN, 0 to 63
 * @param outDscp codepoint of OUT, another one
 */
public record Aggregate(
    Direction direction,
    long cirBps,
    long burstBytes,
    AggregateMarker marker,
    int inDscp,
    int outDscp) {
  /** AF11. */
  public static final int IN_DSCP = 10;

  /** AF12. */
  public static final int OUT_DSCP = 12;

  /** Lowest committed rate, bit/s. */
  public static final long MIN_CIR_BPS = 1_000;

  /** Highest committed rate, bit/s. */
  public static final long MAX_CIR_BPS = 10_000_000_000L;

  /** The smallest burst that holds the largest packet, in bytes. */
  public static final long MIN_BURST_BYTES = 1_600;

  private static final long MAX_BURST_BYTES = (1L << 29) - 1;

  /** The switch does not fill a bucket for longer. */
  private static final int MAX_FILL_SECONDS = 16;

  /** A burst that is not asked for is what the rate sends in a fifth of a second. */
  private static final int BURSTS_PER_SECOND = 5;

  public Aggregate {
    Objects.requireNonNull(direction, "direction");
    Objects.requireNonNull(marker, "marker");
    require("cirBps", cirBps, MIN_CIR_BPS, MAX_CIR_BPS);
    require("burstBytes", burstBytes, MIN_BURST_BYTES, maxBurstBytes(cirBps));
    Ranges.require("inDscp", inDscp, 0, 63);
    Ranges.require("outDscp", outDscp, 0, 63);
    if (inDscp == outDscp) {
      throw new InvalidValueException("outDscp", outDscp, "another codepoint than inDscp");
    }
  }

  /** Of what a subscriber sends, with the codepoints AF11 and AF12. */
  public static Aggregate up(long cirBps, long burstBytes, AggregateMarker marker) {
    return new Aggregate(Direction.UP, cirBps, burstBytes, marker, IN_DSCP, OUT_DSCP);
  }

  /** The burst of a contract that names none. */
  public static long defaultBurstBytes(long cirBps) {
    long burst = Math.max(2 * MIN_BURST_BYTES, cirBps / 8 / BURSTS_PER_SECOND);
    return Math.min(burst, maxBurstBytes(cirBps));
  }

  /** The largest burst of a contract of that rate. */
  public static long maxBurstBytes(long cirBps) {
    return Math.max(MIN_BURST_BYTES, Math.min(MAX_BURST_BYTES, cirBps / 8 * MAX_FILL_SECONDS));
  }

  /** The burst in bits. */
  public long burstBits() {
    return 8 * burstBytes;
  }

  private static void require(String field, long value, long low, long high) {
    if (value < low || value > high) {
      throw new InvalidValueException(field, value, low + " to " + high);
    }
  }
}
