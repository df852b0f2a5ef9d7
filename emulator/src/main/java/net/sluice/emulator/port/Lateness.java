package net.sluice.emulator.port;

import org.HdrHistogram.Histogram;

/**
 * How late a machine got to what was due at a time: a line becoming free, a frame at the end of a
 * delayed link, a shaper's gate. A machine that keeps up is some ten microseconds late.
 *
 * @param wakeUps how often something was late at all
 * @param medianMicros half of them were at most so late, microseconds
 * @param p99Micros 99 % of them
 * @param maxMicros all of them
 */
public record Lateness(long wakeUps, long medianMicros, long p99Micros, long maxMicros) {
  private static final long NANOS_PER_MICRO = 1_000;

  static Lateness of(Histogram nanos) {
    return new Lateness(
        nanos.getTotalCount(),
        nanos.getValueAtPercentile(50) / NANOS_PER_MICRO,
        nanos.getValueAtPercentile(99) / NANOS_PER_MICRO,
        nanos.getMaxValue() / NANOS_PER_MICRO);
  }
}
