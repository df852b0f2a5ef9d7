package net.sluice.emulator.ports;

import org.HdrHistogram.Histogram;

/**
 * The delay between the due time of an event (a line becoming free, a frame at the end of a delayed
 * link, a shaper's gate) and its execution in real time. On a machine that keeps up it is some ten
 * microseconds.
 *
 * @param wakeUps number of late events
 * @param medianMicros median delay, microseconds
 * @param p99Micros 99th percentile, microseconds
 * @param maxMicros longest delay, microseconds
 * @param standstills number of delays of more than {@value #STANDSTILL_MICROS} us: longer than
 *     packets are meant to wait in a queue, so that a line may have run empty
 * @param standstillMicros sum of those delays, microseconds
 */
public record SchedulingDelay(
    long wakeUps,
    long medianMicros,
    long p99Micros,
    long maxMicros,
    long standstills,
    long standstillMicros) {
  private static final long NANOS_PER_MICRO = 1_000;

  /** A longer delay is a standstill. */
  public static final long STANDSTILL_MICROS = 5_000;

  /** Records delays. For one thread at a time. */
  static final class Recorder {
    private static final int DIGITS = 3;

    private final Histogram nanos = new Histogram(DIGITS);
    private long standstills;
    private long standstillNanos;

    void add(long lateNanos) {
      nanos.recordValue(lateNanos);
      if (lateNanos > STANDSTILL_MICROS * NANOS_PER_MICRO) {
        standstills++;
        standstillNanos += lateNanos;
      }
    }

    SchedulingDelay read() {
      return of(nanos, standstills, standstillNanos / NANOS_PER_MICRO);
    }
  }

  private static SchedulingDelay of(Histogram nanos, long standstills, long standstillMicros) {
    return new SchedulingDelay(
        nanos.getTotalCount(),
        nanos.getValueAtPercentile(50) / NANOS_PER_MICRO,
        nanos.getValueAtPercentile(99) / NANOS_PER_MICRO,
        nanos.getMaxValue() / NANOS_PER_MICRO,
        standstills,
        standstillMicros);
  }
}
