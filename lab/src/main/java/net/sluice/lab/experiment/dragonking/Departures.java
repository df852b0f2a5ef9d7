package net.sluice.lab.experiment.dragonking;

import java.util.Arrays;
import org.HdrHistogram.Histogram;

/**
 * The fate of each packet of a {@link Load}, beside the times that WF2Q+ gives it: VST = max(LFT,
 * arrival), LFT = VST + L / R.
 */
final class Departures {
  /** The limit in the low bits of a tag, the virtual start time above. */
  private static final int LIMIT_BITS = 24;

  private static final int LIMIT_MASK = (1 << LIMIT_BITS) - 1;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int DIGITS = 3;

  private final Load load;
  private final long lineNanos;
  private final double spacingNanos;
  private final double[] finishNanos;
  private final int[] sent;
  private final long[] firstNanos;
  private final long[] lastNanos;

  /** When a limit that never sends ahead of its rate may send next. */
  private final double[] dueNanos;

  private final Histogram lateNanos = new Histogram(DIGITS);
  private double lateSumNanos;
  private long earliestNanos;
  private double mostAheadNanos;
  private long arrivedPackets;
  private long sentPackets;
  private long underWay;

  /**
   * Nothing has come.
   *
   * @param lineNanos time that a packet takes on the line it leaves by
   */
  Departures(Load load, long lineNanos) {
    this.load = load;
    this.lineNanos = lineNanos;
    spacingNanos = load.spacingNanos();
    finishNanos = new double[load.limits()];
    sent = new int[load.limits()];
    firstNanos = new long[load.limits()];
    lastNanos = new long[load.limits()];
    dueNanos = new double[load.limits()];
    Arrays.fill(dueNanos, Double.NEGATIVE_INFINITY);
  }

  /**
   * Counts a packet that comes.
   *
   * @return its tag
   */
  long arrived(int limit, long nowNanos) {
    arrivedPackets++;
    double startNanos = Math.max(finishNanos[limit], nowNanos);
    finishNanos[limit] = startNanos + spacingNanos;
    return (long) startNanos << LIMIT_BITS | limit;
  }

  /** The limit in a tag. */
  static int limit(long tag) {
    return (int) (tag & LIMIT_MASK);
  }

  /** The virtual start time in a tag. */
  static long startNanos(long tag) {
    return tag >>> LIMIT_BITS;
  }

  /** Counts a packet whose last bit has left. */
  void sent(long tag, long endNanos) {
    int limit = limit(tag);
    long nowNanos = endNanos - lineNanos;
    long late = nowNanos - startNanos(tag);
    earliestNanos = Math.min(earliestNanos, late);
    lateNanos.recordValue(Math.max(0, late));
    lateSumNanos += Math.max(0, late);
    if (sent[limit]++ == 0) {
      firstNanos[limit] = nowNanos;
    }
    lastNanos[limit] = nowNanos;
    dueNanos[limit] = Math.max(dueNanos[limit], nowNanos) + spacingNanos;
    mostAheadNanos = Math.max(mostAheadNanos, dueNanos[limit] - nowNanos);
    sentPackets++;
  }

  /** Counts a packet that is still there at the end. */
  void underWay() {
    underWay++;
  }

  /** Packets that came. */
  long arrivedPackets() {
    return arrivedPackets;
  }

  /** Packets that left. */
  long sentPackets() {
    return sentPackets;
  }

  /** Packets that came, did not leave and are not there any more. */
  long lostPackets() {
    return arrivedPackets - sentPackets - underWay;
  }

  /** Part of what came that was lost, 0..1. */
  double lossRate() {
    return (double) lostPackets() / arrivedPackets;
  }

  /** Rate at which packets left, bit/s, if they had so much time. */
  double sentBps(long nanos) {
    return sentPackets * load.packetBits() * NANOS_PER_SECOND / nanos;
  }

  /**
   * Accuracy of the worst limit, 0..1: 1 less the part by which its rate between its first and last
   * packet is off. Limits with fewer than three packets do not count; NaN if no limit has more.
   */
  double worstAccuracy() {
    double worst = Double.NaN;
    for (int limit = 0; limit < sent.length; limit++) {
      if (sent[limit] >= 3) {
        worst = Double.isNaN(worst) ? accuracy(limit) : Math.min(worst, accuracy(limit));
      }
    }
    return worst;
  }

  /** Mean accuracy of the limits, as of {@link #worstAccuracy}. */
  double meanAccuracy() {
    double sum = 0;
    int counted = 0;
    for (int limit = 0; limit < sent.length; limit++) {
      if (sent[limit] >= 3) {
        sum += accuracy(limit);
        counted++;
      }
    }
    return sum / counted;
  }

  private double accuracy(int limit) {
    double took = lastNanos[limit] - firstNanos[limit];
    double atLimit = (sent[limit] - 1) * load.packetBits() * NANOS_PER_SECOND / load.askedBps();
    return Math.max(0, 1 - Math.abs(atLimit / took - 1));
  }

  /**
   * Most packets by which a limit was ahead of its rate at a time, in whole packets: 1 if it sent
   * each when it was due. It is the burst of the tightest token bucket of the limit's rate that all
   * packets would have passed.
   */
  double mostBurstPackets() {
    return Math.floor(mostAheadNanos / spacingNanos);
  }

  /** Mean time from a packet's virtual start time to its departure, nanoseconds. */
  double meanLateNanos() {
    return lateSumNanos / sentPackets;
  }

  /** Its 99th percentile. */
  double p99LateNanos() {
    return lateNanos.getValueAtPercentile(99);
  }

  /** Longest. */
  double mostLateNanos() {
    return lateNanos.getMaxValue();
  }

  /**
   * How much earlier than its virtual start time a packet left at most, nanoseconds, at least 0.
   */
  double mostEarlyNanos() {
    return -earliestNanos;
  }
}
