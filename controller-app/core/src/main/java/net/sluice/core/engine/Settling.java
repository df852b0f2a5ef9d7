package net.sluice.core.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Lets callers wait for conditions that only change when a session settles something. */
final class Settling {
  private long settled;

  /** Something was settled: whoever waits looks again. */
  synchronized void settled() {
    settled++;
    notifyAll();
  }

  private synchronized long count() {
    return settled;
  }

  /**
   * Waits until a condition holds.
   *
   * @return true if it does, false if the time is up
   */
  boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
    long end = System.nanoTime() + timeout.toNanos();
    while (true) {
      long before = count();
      if (condition.getAsBoolean()) {
        return true;
      }
      synchronized (this) {
        while (settled == before) {
          long left = end - System.nanoTime();
          if (left <= 0) {
            return false;
          }
          TimeUnit.NANOSECONDS.timedWait(this, left);
        }
      }
    }
  }
}
