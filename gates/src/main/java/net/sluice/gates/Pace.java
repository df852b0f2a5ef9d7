package net.sluice.gates;

import java.util.Locale;

/** How often an agent's steps are made; one thread. */
final class Pace {
  private static final double NANOS_PER_MICRO = 1e3;

  private long steps;
  private long sinceNanos;
  private long lastNanos;
  private long longestNanos;

  /** Begins to count anew. */
  void begin(long nowNanos) {
    steps = 0;
    sinceNanos = nowNanos;
    lastNanos = nowNanos;
    longestNanos = 0;
  }

  /** Counts a step. */
  void step(long nowNanos) {
    steps++;
    longestNanos = Math.max(longestNanos, nowNanos - lastNanos);
    lastNanos = nowNanos;
  }

  /** Steps since the beginning. */
  long steps() {
    return steps;
  }

  /** Mean time between them, us; 0 without any. */
  double meanMicros() {
    return steps == 0 ? 0 : (lastNanos - sinceNanos) / NANOS_PER_MICRO / steps;
  }

  /** The longest, us. */
  double longestMicros() {
    return longestNanos / NANOS_PER_MICRO;
  }

  /** A sentence about it. */
  String text() {
    return String.format(
        Locale.ROOT,
        "%d steps, every %.1f us on average, at the longest after %.0f us",
        steps,
        meanMicros(),
        longestMicros());
  }
}
