package net.sluice.core.change;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import net.sluice.core.StoreHealth;
import net.sluice.core.UnavailableException;
import net.sluice.core.time.Backoff;
import net.sluice.core.time.Scheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens a store that failed again, after waits that grow until a commit succeeds. No request waits
 * for it: changes are refused meanwhile.
 */
final class StoreRecovery implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StoreRecovery.class);
  private static final StoreHealth WRITABLE = new StoreHealth.Writable();
  private static final Duration SOON = Duration.ofSeconds(1);

  private final Scheduler scheduler;
  private final Clock clock;
  private final Backoff backoff;
  private final Runnable reopen;
  private final Consumer<StoreHealth> changed;
  private volatile StoreHealth health = WRITABLE;

  /** True from a failure until a commit succeeds. */
  private volatile boolean unproven;

  /**
   * A store that is well.
   *
   * @param backoff waits between attempts
   * @param reopen opens the store, takes what it holds and tells so by {@link #isOver}; throws if
   *     that cannot be done yet
   * @param changed told when the store has failed and when it takes changes again
   */
  StoreRecovery(
      Scheduler scheduler,
      Clock clock,
      Backoff backoff,
      Runnable reopen,
      Consumer<StoreHealth> changed) {
    this.scheduler = scheduler;
    this.clock = clock;
    this.backoff = backoff;
    this.reopen = reopen;
    this.changed = changed;
  }

  /** Whether the store takes changes. */
  StoreHealth health() {
    return health;
  }

  /**
   * Refuses changes that the store cannot take.
   *
   * @throws UnavailableException if it cannot
   */
  void requireWritable() {
    if (health instanceof StoreHealth.Failed failed) {
      throw new UnavailableException(
          "the store takes no changes: " + failed.reason(), retryAfter(failed));
    }
  }

  /** When it makes sense to try a change again. */
  Duration retryAfter() {
    return health instanceof StoreHealth.Failed failed ? retryAfter(failed) : SOON;
  }

  private Duration retryAfter(StoreHealth.Failed failed) {
    Duration wait = failed.next().map(next -> Duration.between(clock.instant(), next)).orElse(SOON);
    return wait.compareTo(SOON) < 0 ? SOON : wait;
  }

  /** A commit has succeeded: after the next failure the store is tried again at once. */
  void committed() {
    if (unproven) {
      synchronized (this) {
        unproven = false;
        backoff.reset();
      }
    }
  }

  /** The store has failed: it takes no changes until it has been opened again. */
  synchronized void failed(String reason) {
    if (health.isWritable()) {
      LOG.error("the store has failed, changes are refused until it takes them again: {}", reason);
      tryLater(reason, clock.instant());
      changed.accept(health);
    }
  }

  private void tryLater(String reason, Instant since) {
    unproven = true;
    Duration wait = backoff.next();
    health = new StoreHealth.Failed(reason, since, Optional.of(clock.instant().plus(wait)));
    scheduler.schedule(wait, this::attempt);
  }

  private void attempt() {
    if (!(health instanceof StoreHealth.Failed failed)) {
      return;
    }
    health = new StoreHealth.Failed(failed.reason(), failed.since(), Optional.empty());
    try {
      reopen.run();
    } catch (RuntimeException | Error e) {
      LOG.debug("the store cannot be opened again yet", e);
      synchronized (this) {
        tryLater(e instanceof RuntimeException ? e.getMessage() : e.toString(), failed.since());
      }
    }
  }

  /** The store was opened again. */
  void isOver() {
    if (health instanceof StoreHealth.Failed failed) {
      health = WRITABLE;
      changed.accept(WRITABLE);
      LOG.info(
          "the store takes changes again after {} s",
          Duration.between(failed.since(), clock.instant()).toSeconds());
    }
  }

  @Override
  public void close() {
    scheduler.close();
  }
}
