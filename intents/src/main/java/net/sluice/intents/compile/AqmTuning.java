package net.sluice.intents.compile;

import net.sluice.intents.plan.entry.queue.CongestionThresholdEntry;
import net.sluice.intents.plan.entry.queue.Gain;

/**
 * Parameters of the congestion-threshold control of a port, from the port's rate alone.
 *
 * <p>The target delay is 5 ms (RFC 8289's TARGET), but never less than {@link #TARGET_PACKETS} full
 * packets (up to {@link #MAX_TARGET_MICROS}): below that a slow port would be steered by single
 * packets. The other times follow from it. Control parameters are absent from paper 000; these are
 * Sluice's own.
 */
public final class AqmTuning {
  /** Lowest target delay, in microseconds. */
  public static final long MIN_TARGET_MICROS = 5_000;

  /**
   * Highest target delay, in microseconds: a very slow port rather runs empty now and then than
   * holds packets longer. Four times it stays within what the loop can measure (524 ms).
   */
  public static final long MAX_TARGET_MICROS = 100_000;

  /** Full packets that the target delay leaves room for. */
  public static final int TARGET_PACKETS = 40;

  /** Queue delay beyond which the threshold rises at once, over the target delay. */
  public static final int OVERLOAD_TARGETS = 4;

  /** Queue delay beyond which ECN-capable packets are dropped too, over the target delay. */
  public static final int ECN_DROP_TARGETS = 2;

  /** Time between steps of the control, in microseconds. */
  public static final long PERIOD_MICROS = 1_000;

  /** Shortest silence after which a queue counts as idle, in microseconds. */
  public static final long MIN_IDLE_MICROS = 1_000;

  /** The same in full packets' time. */
  public static final int IDLE_PACKETS = 3;

  /** Ports of at least this rate in bit/s have {@link Gain#FAST}. */
  public static final long FAST_BPS = 500_000_000;

  /**
   * Ports of at least this rate in bit/s have {@link Gain#MEDIUM}, slower ones {@link Gain#SLOW}.
   * With SLOW the queue of ports from 20 Mbit/s up swings between empty and overloaded; with MEDIUM
   * those of 5 Mbit/s and below do.
   */
  public static final long MEDIUM_BPS = 8_000_000;

  private static final int PACKET_BITS = 1500 * 8;
  private static final long MAX_MICROS = (1L << 32) - 1;

  private AqmTuning() {}

  /** The entry of a port of {@code rateBps > 0}. */
  public static CongestionThresholdEntry forPort(int port, long rateBps) {
    long targetMicros =
        Math.min(
            MAX_TARGET_MICROS, Math.max(MIN_TARGET_MICROS, packetMicros(TARGET_PACKETS, rateBps)));
    long idleMicros = Math.max(MIN_IDLE_MICROS, packetMicros(IDLE_PACKETS, rateBps));
    return new CongestionThresholdEntry(
        port,
        gain(rateBps),
        field(targetMicros),
        field(OVERLOAD_TARGETS * targetMicros),
        PERIOD_MICROS,
        field(idleMicros),
        field(ECN_DROP_TARGETS * targetMicros));
  }

  private static Gain gain(long rateBps) {
    if (rateBps >= FAST_BPS) {
      return Gain.FAST;
    }
    return rateBps >= MEDIUM_BPS ? Gain.MEDIUM : Gain.SLOW;
  }

  private static long packetMicros(int packets, long rateBps) {
    return (long) Math.ceil(1e6 * packets * PACKET_BITS / rateBps);
  }

  // The switch's fields are 32 bits; only the idle time of a port below 9 bit/s reaches their end.
  private static long field(long micros) {
    return Math.min(MAX_MICROS, micros);
  }
}
