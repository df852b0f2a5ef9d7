package net.sluice.emulator.netsim;

import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Wall-clock time, behind an interface so that a test can be its own clock. */
public interface WallClock {

  /** Nanoseconds since an arbitrary fixed origin; never goes back. */
  long nanoTime();

  /**
   * Waits, without using the processor, until about the given time; may come back early.
   *
   * @param wallNanos time on the clock of {@link #nanoTime}, nanoseconds
   * @throws InterruptedException when the waiting thread is interrupted
   */
  void waitUntil(long wallNanos) throws InterruptedException;

  /** The machine's time of day, nanoseconds since 1970-01-01T00:00Z. */
  static long epochNanos() {
    Instant now = Clock.systemUTC().instant();
    return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
  }

  /** The machine's clock. */
  static WallClock system() {
    return new WallClock() {
      @Override
      public long nanoTime() {
        return System.nanoTime();
      }

      @Override
      public void waitUntil(long wallNanos) throws InterruptedException {
        LockSupport.parkNanos(this, wallNanos - System.nanoTime());
        if (Thread.interrupted()) {
          throw new InterruptedException("interrupted while waiting for the wall clock");
        }
      }
    };
  }
}
