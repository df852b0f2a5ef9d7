package net.sluice.intents.profile;

import java.util.Locale;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.plan.entry.limit.MeterSetting;
import net.sluice.intents.value.InvalidValueException;

/**
 * The meters by which a switch can police.
 *
 * @param subscribers directions of subscribers that can be metered; 0 if the switch has no meters.
 *     Each tree and port has a meter for each direction beside these
 */
public record MeterProfile(int subscribers) {
  /** Of a switch without meters. */
  public static final MeterProfile NONE = new MeterProfile(0);

  /** The highest rate that a meter keeps to, in bit/s. */
  public static final long MAX_RATE_BPS = 1_000_000_000_000L;

  /** The smallest bucket that lets the largest packet through, in bytes. */
  public static final int MIN_BURST_BYTES = RateLimit.MIN_BURST_BYTES;

  /**
   * The smallest bucket that is given unasked, in bytes. With room for two of the largest packets
   * it loses no tokens while it waits for enough to let one through, so that whoever sends evenly
   * above a rate gets all of it.
   */
  private static final int MIN_DEFAULT_BURST_BYTES = 2 * MIN_BURST_BYTES;

  /** The largest bucket, in bytes; bmv2 reads back larger ones as negative. */
  public static final long MAX_BURST_BYTES = Integer.MAX_VALUE;

  /** By how much rates differ at least: meters count bytes. */
  public static final int RATE_STEP_BPS = 8;

  /** The rates that a meter keeps to, in words. */
  public static final String RATE_FORM = RATE_STEP_BPS + " to " + MAX_RATE_BPS + " bit/s";

  private static final double MICROS_PER_SECOND = 1e6;

  /** Of many flows a burst that is not asked for is what the rate sends in a tenth of a second. */
  private static final int BURSTS_PER_SECOND = 10;

  private static final double MILLIS_PER_SECOND = 1e3;

  /** The part of a flow's burst beside a window, as time of the rate: {@link #flowBurstBytes}. */
  private static final double CUBIC_SECONDS = 0.018;

  private static final double SEGMENT_BYTES = 1_500;

  public MeterProfile {
    if (subscribers < 0) {
      throw new InvalidValueException("subscriberMeters", subscribers, "0 or more");
    }
  }

  /** True if there are meters. */
  public boolean any() {
    return subscribers > 0;
  }

  /** True if a meter keeps to a rate: {@link #RATE_STEP_BPS} to {@link #MAX_RATE_BPS}. */
  public static boolean canRepresent(long rateBps) {
    return rateBps >= RATE_STEP_BPS && rateBps <= MAX_RATE_BPS;
  }

  /**
   * The setting of a limit's meter.
   *
   * @param rateBps see {@link #canRepresent}
   * @param burstBytes as wanted, {@link #MIN_BURST_BYTES} or more
   */
  public static MeterSetting meter(long rateBps, long burstBytes) {
    return new MeterSetting(rateBps(rateBps), Math.min(burstBytes, MAX_BURST_BYTES));
  }

  /** The burst of a limit that many flows share, in bytes, before it is cut to what a meter has. */
  public static long sharedBurstBytes(long rateBps) {
    return Math.max(MIN_DEFAULT_BURST_BYTES, rateBps(rateBps) / RATE_STEP_BPS / BURSTS_PER_SECOND);
  }

  /**
   * A burst with which one TCP flow of Cubic (RFC 9438) gets 95 % of a rate, in bytes, before it is
   * cut to what a meter has. Nothing waits at a meter, so a window that comes at once has to pass
   * at once, and what the flow sends above the rate before a loss has to come out of tokens that it
   * left while it sent below. With a window of W segments at a loss and the RFC's beta = 0.7 and C
   * = 0.4 a cycle takes K = cbrt(0.75 W) seconds and has a mean of 0.925 W; where that is 95 % of
   * the rate, 0.009 K seconds of the rate lie above it, which is 8 ms times the cube root of the
   * segments that the rate has under way. Fast convergence and recovery make it 10 to 17 ms as
   * measured.
   *
   * @param rateBps see {@link #canRepresent}
   * @param rttMillis the flow's round-trip time, ms, 1 or more
   */
  public static long flowBurstBytes(long rateBps, int rttMillis) {
    double bytesPerSecond = rateBps(rateBps) / (double) RATE_STEP_BPS;
    double rtt = rttMillis / MILLIS_PER_SECOND;
    // StrictMath, so that every machine computes the same burst.
    double above = CUBIC_SECONDS * StrictMath.cbrt(bytesPerSecond * rtt / SEGMENT_BYTES);
    return Math.max(MIN_DEFAULT_BURST_BYTES, Math.round(bytesPerSecond * (rtt + above)));
  }

  /**
   * The rate of a limit's meter in bit/s, which every switch with such meters reads back as it was
   * written: the next that is not below the limit's where {@link RateGrant#isNextStepUp} says so,
   * else the next that is not above it.
   */
  public static long rateBps(long rateBps) {
    return bytesPerSecond(rateBps) * RATE_STEP_BPS;
  }

  private static long bytesPerSecond(long rateBps) {
    long above = (rateBps + RATE_STEP_BPS - 1) / RATE_STEP_BPS;
    while (!isKept(above)) {
      above++;
    }
    if (RateGrant.isNextStepUp(rateBps, above * RATE_STEP_BPS)) {
      return above;
    }
    long below = rateBps / RATE_STEP_BPS;
    while (!isKept(below)) {
      below--;
    }
    return below;
  }

  /** bmv2 keeps bytes per microsecond as a double, and cuts off when it is asked for a rate. */
  private static boolean isKept(long bytesPerSecond) {
    double perMicro = bytesPerSecond / MICROS_PER_SECOND;
    return (long) (perMicro * MICROS_PER_SECOND) == bytesPerSecond;
  }

  /** Why a meter's rate differs from what was asked for; empty if it does not. */
  public static String note(long rateBps, MeterSetting meter) {
    return rateBps == meter.rateBps()
        ? ""
        : String.format(
            Locale.ROOT,
            "rounded %s to %d bit/s, which every switch with meters keeps and tells alike",
            meter.rateBps() > rateBps ? "up" : "down",
            meter.rateBps());
  }
}
