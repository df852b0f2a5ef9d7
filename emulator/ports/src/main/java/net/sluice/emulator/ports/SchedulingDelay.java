package net.sluice.emulator.ports;

import org.HdrHistogram.Histogram;

/**
 * How late a machine got to what was due at a time: a line becoming free, a frame at the end of a
 * delayed link, a shaper's gate. A machine that keeps up is some ten microseconds late.
 *
 * @param wakeUps how often something was late at all
 * @param medianMicros half of them were at most so late, microseconds
 * @param p99Micros 99 % of them
 * @param maxMicros all of them
 * @param standstills how often it was more than {@value #STANDSTILL_MICROS} us late: longer than
 *     packets are meant to wait in a queue, so that a line may have run empty
 * @param standstillMicros how late it was then, altogether
 */
public record SchedulingDelay(
    long wakeUps,
    long medianMicros,
    long p99Micros,
    long maxMicros,
    long standstills,
    long standstillMicros) {
  private static final long NANOS_PER_MICRO = 1_000;

  /** Beyond this it stood still. */
  public static final long STANDSTILL_MICROS = 5_000;

  /** What has been recorded so far. For one thread at a time. */
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
