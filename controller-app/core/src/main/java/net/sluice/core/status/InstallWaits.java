package net.sluice.core.status;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import net.sluice.core.time.Scheduler;

/**
 * Waits for installs. They hold no thread: each is checked again when a target has answered, and
 * ends when its time is up.
 */
public final class InstallWaits implements AutoCloseable {
  private final Scheduler scheduler;
  private final Set<Wait> waits = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean checkIsDue = new AtomicBoolean();
  private volatile boolean closed;

  /** One wait; identity counts. */
  private static final class Wait {
    private final BooleanSupplier installed;
    private final CompletableFuture<Boolean> outcome = new CompletableFuture<>();

    Wait(BooleanSupplier installed) {
      this.installed = installed;
    }

    void check() {
      try {
        if (installed.getAsBoolean()) {
          outcome.complete(true);
        }
      } catch (RuntimeException | Error e) {
        // Those that wait for something else must not wait longer for it.
        outcome.completeExceptionally(e);
      }
    }
  }

  /** {@code scheduler} runs checks and time-outs, and what follows upon the end of a wait. */
  public InstallWaits(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** True as soon as {@code installed} is; false after {@code timeout}, or if all is closed. */
  public CompletableFuture<Boolean> until(BooleanSupplier installed, Duration timeout) {
    Wait wait = new Wait(installed);
    wait.check();
    if (wait.outcome.isDone()) {
      return wait.outcome;
    }
    waits.add(wait);
    Scheduler.Cancellable timer = scheduler.schedule(timeout, () -> wait.outcome.complete(false));
    var unused =
        wait.outcome.whenComplete(
            (isInstalled, failure) -> {
              timer.cancel();
              waits.remove(wait);
            });
    // An answer from before the wait was registered has not woken it.
    wait.check();
    if (closed) {
      wait.outcome.complete(false);
    }
    return wait.outcome;
  }

  /** A target has answered: has every wait checked once, however often this is called meanwhile. */
  public void wake() {
    if (!waits.isEmpty() && checkIsDue.compareAndSet(false, true)) {
      scheduler.execute(
          () -> {
            checkIsDue.set(false);
            waits.forEach(Wait::check);
          });
    }
  }

  /** Runs an action on the thread of the checks. */
  void execute(Runnable action) {
    scheduler.execute(action);
  }

  @Override
  public void close() {
    closed = true;
    waits.forEach(wait -> wait.outcome.complete(false));
    scheduler.close();
  }
}
