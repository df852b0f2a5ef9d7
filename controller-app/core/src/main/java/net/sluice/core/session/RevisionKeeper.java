package net.sluice.core.session;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import net.sluice.core.store.Revision;
import net.sluice.core.store.StoreHistory;
import net.sluice.core.target.Target;
import net.sluice.core.target.WriteCode;
import net.sluice.core.time.Backoff;
import net.sluice.core.time.Scheduler;
import net.sluice.intents.plan.Entity;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.OwnerIds;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the target keep how far the store had got: at most once in {@link #INTERVAL}, in a batch that
 * is sent anyway or else in one of its own, and only what is durable. So what the target keeps is
 * never ahead of a store that has not gone back. Nobody waits for these writes, and no status
 * counts them.
 *
 * <p>Everything is called with the session's lock held.
 */
final class RevisionKeeper<E extends Entity> {
  /** From one writing to the next. */
  static final Duration INTERVAL = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(TargetSession.class);

  private final Target<E> target;
  private final Scheduler scheduler;
  private final Clock clock;
  private final ReconcileSource<E> source;
  private final LockedPhase state;
  private final Runnable pump;

  /** The last commit that this session knows the store to have had. */
  private Revision known;

  /** The revisions that the target keeps; usually one. */
  private List<Revision> kept = List.of();

  /** The revision that it is to keep once {@link #sent} and all of {@link #left} is done. */
  private Revision writing = Revision.NONE;

  private final Deque<PendingWrite<E>> left = new ArrayDeque<>();
  private Optional<PendingWrite<E>> sent = Optional.empty();
  private Instant next = Instant.MIN;
  private boolean waking;
  private final Backoff refusedBackoff;
  private Optional<String> refusal = Optional.empty();

  /** {@code pump} has the session ask for {@link #next}. */
  RevisionKeeper(SessionParts<E> parts, Runnable pump) {
    this.target = parts.target();
    this.scheduler = parts.scheduler();
    this.clock = parts.clock();
    this.source = parts.source();
    this.state = parts.state();
    this.pump = pump;
    this.known = source.store().furthest();
    Duration first = parts.config().retrying().refusedRetry();
    this.refusedBackoff = new Backoff(first, first.multipliedBy(RefusedRetry.MAX_FACTOR));
  }

  /** The last commit that is known to have been in the store. */
  Revision known() {
    return known;
  }

  /** Why the target does not keep it, in its own words; empty if it does. */
  Optional<String> refusal() {
    return refusal;
  }

  /** Something has become durable. */
  void committed() {
    StoreHistory history = source.store().history();
    // A store that has gone back is not known to have less by going on from there.
    if (history.has(known)) {
      known = history.revision();
    }
  }

  /** The target was compared and keeps {@code found}; from now on it follows the store. */
  void accepted(List<Revision> found) {
    reset();
    kept = found;
    known = source.store().history().revision();
  }

  /** Gives up what is under way. */
  void reset() {
    left.clear();
    sent = Optional.empty();
    refusal = Optional.empty();
    refusedBackoff.reset();
  }

  /** True if something of it is sent and not answered. */
  boolean isUnanswered() {
    return sent.isPresent();
  }

  /** True if {@link #next} is to be called, because it may have something. */
  boolean isWanted() {
    StoreHistory history = source.store().history();
    // What the store has lost the target goes on keeping until it is compared with it.
    return state.phase.maySend()
        && sent.isEmpty()
        && !waking
        && history.has(known)
        && (!left.isEmpty() || !kept.equals(wanted(history.revision())));
  }

  private static List<Revision> wanted(Revision revision) {
    return revision.equals(Revision.NONE) ? List.of() : List.of(revision);
  }

  /**
   * A write that is to be sent now. Each waits for the answer of the one before, so that the target
   * goes on keeping the old revision if it refuses the new one.
   */
  Optional<PendingWrite<E>> next() {
    if (!isWanted()) {
      return Optional.empty();
    }
    if (left.isEmpty()) {
      Instant now = clock.instant();
      if (now.isBefore(next)) {
        wakeAfter(Duration.between(now, next));
        return Optional.empty();
      }
      next = now.plus(INTERVAL);
      writing = source.store().history().revision();
      source.keep(kept, writing, (op, entity, owner, retires) -> left.add(own(op, entity)));
    }
    sent = Optional.ofNullable(left.poll());
    if (sent.isEmpty()) {
      // The target has no place for it.
      kept = wanted(writing);
    }
    return sent;
  }

  private static <E extends Entity> PendingWrite<E> own(Op op, E entity) {
    return new PendingWrite<>(
        op, entity, OwnerIds.NONE, OwnerIds.NONE, 0, 0, 1, null, false, null, null);
  }

  private void wakeAfter(Duration wait) {
    waking = true;
    scheduler.schedule(
        wait,
        () -> {
          state.locked(() -> waking = false);
          pump.run();
        });
  }

  /** The writes that {@link #next} gave last were answered. */
  void answered(WriteCode code, String words) {
    PendingWrite<E> write = sent.orElseThrow();
    sent = Optional.empty();
    if (write.isDone(code) || code == WriteCode.ALREADY_EXISTS) {
      if (left.isEmpty()) {
        kept = wanted(writing);
        refusal = Optional.empty();
        refusedBackoff.reset();
      }
      return;
    }
    if (refusal.isEmpty()) {
      LOG.warn("{}: refuses to keep how far the store has got: {}", target.name(), words);
    }
    refusal = Optional.of(words);
    if (write.op() != Op.INSERT && !kept.contains(writing)) {
      kept = Stream.concat(kept.stream(), Stream.of(writing)).toList();
    }
    left.clear();
    next = clock.instant().plus(refusedBackoff.next());
  }
}
