package net.sluice.core.session;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import net.sluice.core.time.Backoff;
import net.sluice.core.time.Scheduler;

/**
 * When a target is asked again for what it refused: after a while that doubles as long as it goes
 * on refusing. Used under the session's lock.
 */
final class RefusedRetry {
  /** The longest wait is this many times the first. */
  static final int MAX_FACTOR = 32;

  private final Scheduler scheduler;
  private final Clock clock;
  private final Backoff backoff;
  private final Runnable due;
  private Optional<Instant> next = Optional.empty();

  /** Something was refused since reading last began, whatever has become of its owner. */
  private boolean pending;

  /** Calls {@code due}, without the lock, after {@code firstWait} for the first time. */
  RefusedRetry(Scheduler scheduler, Clock clock, Duration firstWait, Runnable due) {
    this.scheduler = scheduler;
    this.clock = clock;
    this.backoff = new Backoff(firstWait, firstWait.multipliedBy(MAX_FACTOR));
    this.due = due;
  }

  /** The target has refused something. */
  void refused() {
    pending = true;
    if (next.isEmpty()) {
      Duration wait = backoff.next();
      next = Optional.of(clock.instant().plus(wait));
      scheduler.schedule(wait, due);
    }
  }

  /** The wait is over; true if there still is something to try again. */
  boolean isDue() {
    next = Optional.empty();
    return pending;
  }

  /** Everything is about to be compared and written again. */
  void readingBegins() {
    pending = false;
  }

  /** Everything that was written is answered. */
  void answered() {
    if (!pending) {
      backoff.reset();
    }
  }

  /** When the next attempt is made; empty if none is needed. */
  Optional<Instant> next() {
    return next;
  }
}
