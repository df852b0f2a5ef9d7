package net.sluice.core.time;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A scheduler with a thread of its own. */
public final class ThreadScheduler implements Scheduler {
  private static final Logger LOG = LoggerFactory.getLogger(ThreadScheduler.class);

  private final ScheduledThreadPoolExecutor executor;

  /** {@code name} is the thread's. */
  public ThreadScheduler(String name) {
    executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
    executor.setRemoveOnCancelPolicy(true);
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  @Override
  public void execute(Runnable task) {
    schedule(Duration.ZERO, task);
  }

  @Override
  public Cancellable schedule(Duration delay, Runnable task) {
    try {
      Future<?> future =
          executor.schedule(guarded(task), Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
      return () -> future.cancel(false);
    } catch (RejectedExecutionException e) {
      // Closed: what comes too late is dropped like what had not run.
      return () -> {};
    }
  }

  private static Runnable guarded(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        // The executor would keep it to itself.
        LOG.error("a scheduled task failed", e);
      }
    };
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
