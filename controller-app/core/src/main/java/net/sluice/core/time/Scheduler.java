package net.sluice.core.time;

import java.time.Duration;

/**
 * Runs tasks one after the other, now or later. Everything a session does in time goes through one,
 * so that a test can let time pass at will.
 */
public interface Scheduler extends AutoCloseable {
  /** Runs {@code task} after those already given; returns at once. */
  void execute(Runnable task);

  /** Runs {@code task} once {@code delay} has passed. */
  Cancellable schedule(Duration delay, Runnable task);

  /** Drops what has not run yet. */
  @Override
  void close();

  /** A task that can be called off. */
  @FunctionalInterface
  interface Cancellable {
    /** The task will not run, unless it already does. */
    void cancel();
  }
}
