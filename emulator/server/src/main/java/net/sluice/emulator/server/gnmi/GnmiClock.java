package net.sluice.emulator.server.gnmi;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.WallClock;

/**
 * Time as a gNMI server knows it. What is scheduled runs inside the simulation, between two of its
 * events.
 */
public interface GnmiClock extends AutoCloseable {

  /** Nanoseconds since some instant; never goes back. */
  long nowNanos();

  /** Nanoseconds since 1970-01-01T00:00Z. */
  long epochNanos();

  /** Runs something at a time by {@link #nowNanos}; cannot be taken back. */
  void schedule(long atNanos, Runnable action);

  /** Schedules nothing more. */
  @Override
  void close();

  /** The machine's clock, for simulations in step with it and for real ports. */
  static GnmiClock wall(Simulation simulation) {
    ScheduledExecutorService executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = Executors.defaultThreadFactory().newThread(task);
              thread.setName("gnmi-clock");
              thread.setDaemon(true);
              return thread;
            },
            new ThreadPoolExecutor.DiscardPolicy());
    return new GnmiClock() {
      @Override
      public long nowNanos() {
        return System.nanoTime();
      }

      @Override
      public long epochNanos() {
        return WallClock.epochNanos();
      }

      @Override
      public void schedule(long atNanos, Runnable action) {
        executor.schedule(
            () -> simulation.execute(action), atNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
      }

      @Override
      public void close() {
        executor.shutdownNow();
      }
    };
  }

  /**
   * A simulation's own clock: what is scheduled happens at its virtual time exactly.
   *
   * @param epochAtStart nanoseconds since 1970-01-01T00:00Z at virtual time 0
   */
  static GnmiClock virtual(Simulation simulation, long epochAtStart) {
    return new GnmiClock() {
      private boolean closed;

      @Override
      public long nowNanos() {
        return simulation.nowNanos();
      }

      @Override
      public long epochNanos() {
        return epochAtStart + simulation.nowNanos();
      }

      @Override
      public void schedule(long atNanos, Runnable action) {
        simulation.schedule(
            atNanos,
            (now, argument) -> {
              if (!closed) {
                action.run();
              }
            },
            0);
      }

      @Override
      public void close() {
        closed = true;
      }
    };
  }
}
