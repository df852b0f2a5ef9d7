package net.sluice.core.time;

import java.time.Duration;

/**
 * Waits between attempts: each twice as long as the one before, up to a longest. Not thread-safe.
 */
public final class Backoff {
  /** More doublings reach any longest wait there is. */
  private static final int MAX_DOUBLINGS = 30;

  private final Duration first;
  private final Duration longest;
  private int attempts;

  /** Waits from {@code first} up to {@code longest}. */
  public Backoff(Duration first, Duration longest) {
    this.first = first;
    this.longest = longest;
  }

  /** The wait before the next attempt. */
  public Duration next() {
    Duration wait = first.multipliedBy(1L << Math.min(attempts++, MAX_DOUBLINGS));
    return wait.compareTo(longest) > 0 ? longest : wait;
  }

  /** The longest wait. */
  public Duration longest() {
    return longest;
  }

  /** An attempt has succeeded: the next wait is the first again. */
  public void reset() {
    attempts = 0;
  }
}
