package net.sluice.core.session;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import net.sluice.core.ControllerConfig;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.ReconcileReport;
import net.sluice.core.TargetDrift;
import net.sluice.core.TargetDrift.Difference;
import net.sluice.core.session.SessionPhase.Draining;
import net.sluice.core.session.SessionPhase.Reading;
import net.sluice.core.session.SessionPhase.Ready;
import net.sluice.core.session.SessionPhase.Refusing;
import net.sluice.core.session.SessionPhase.Removing;
import net.sluice.core.session.SessionPhase.Rewriting;
import net.sluice.core.store.Revision;
import net.sluice.core.store.StoreHistory;
import net.sluice.core.target.Target;
import net.sluice.core.target.WriteCode;
import net.sluice.core.target.WriteResults;
import net.sluice.core.time.Scheduler;
import net.sluice.intents.plan.Entity;
import net.sluice.intents.plan.Op;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a target back and corrects it: when its session begins, when asked to, and after a while.
 * Nothing is sent before everything was read and the comparison was found to delete no more than it
 * may, see {@link DeletionGuard}.
 *
 * <p>Methods that say so are called with the session's lock held.
 *
 * <p>More than 500 lines, because draining, reading, removing and rewriting are steps of one phase
 * after the other.
 *
 * @param <E> {@code SwitchEntry} or {@code FpgaSetting}
 */
final class Reconciliation<E extends Entity> {
  private static final Logger LOG = LoggerFactory.getLogger(TargetSession.class);
  private static final double MILLIS_PER_SECOND = 1000;
  private static final long NOT_RECONCILED = Long.MAX_VALUE;

  private final CorrectedSession<E> session;
  private final RevisionKeeper<E> keeper;
  private final Target<E> target;
  private final StatusBoard board;
  private final Scheduler scheduler;
  private final Clock clock;
  private final ControllerConfig config;
  private final ReconcileSource<E> source;
  private final SessionListener listener;
  private final LockedPhase state;
  private final Outbox<E> outbox;
  private final RefusedRetry refusals;

  /** Number of the last write of the last reconciliation, as long as it may be unanswered. */
  private long reconciledTo = NOT_RECONCILED;

  private Scheduler.Cancellable audit = () -> {};

  /** Whether a comparison was accepted in this session. */
  private boolean accepted;

  /** Whether the next comparison is accepted whatever it deletes; until one has ended well. */
  private boolean adopting;

  /**
   * Deletions of accepted changes that did not get to the target, so that a comparison makes up.
   */
  private long owedDeletions;

  private Repairs repairs = new Repairs();
  private TargetDrift.Comparison compared = TargetDrift.Comparison.NONE;
  private final Map<Difference, Long> foundSoFar = new EnumMap<>(Difference.class);

  /** Whether the target was as it is when nothing has been declared for it. */
  private boolean heldNothing;

  Reconciliation(CorrectedSession<E> session, SessionParts<E> parts, RevisionKeeper<E> keeper) {
    this.session = session;
    this.keeper = keeper;
    target = parts.target();
    board = parts.board();
    scheduler = parts.scheduler();
    clock = parts.clock();
    config = parts.config();
    source = parts.source();
    listener = parts.listener();
    state = parts.state();
    outbox = parts.outbox();
    adopting = config.comparing().adopts();
    refusals =
        new RefusedRetry(scheduler, clock, config.retrying().refusedRetry(), this::retryRefused);
  }

  // ---------------------------------------------------------------- what the session tells

  /** With the lock held: a write of an accepted change is not sent, or may not have arrived. */
  void notSent(Op op, E entity) {
    if (source.deletes(op, entity)) {
      owedDeletions++;
    }
  }

  /** With the lock held: the target has refused a write. */
  void refused(PendingWrite<E> write) {
    refusals.refused();
    notSent(write.op(), write.entity());
  }

  /** With the lock held: answers have come. */
  void answered() {
    noteIfReconciled();
    if (state.phase instanceof Draining && session.isQuiet()) {
      session.execute(state.number, this::read);
    }
    if (state.phase instanceof Rewriting rewriting
        && rewriting.full()
        && outbox.waiting() <= config.writing().queueCapacity() / 2) {
      state.phase = state.phase.room(true);
      session.execute(state.number, this::rewrite);
    }
  }

  /** With the lock held: everything queued or in flight is about to be given up. */
  void givenUp() {
    outbox.forEach(
        write -> {
          if (isOwed(write)) {
            notSent(write.op(), write.entity());
          }
        });
    reconciledTo = NOT_RECONCILED;
    accepted = false;
  }

  /** Whether the target is owed a write: what a comparison found counts once that is accepted. */
  private static boolean isOwed(PendingWrite<?> write) {
    return write.repairs() == null || write.repairs().areAccepted();
  }

  /** With the lock held: whether a comparison was accepted in this session. */
  boolean isAccepted() {
    return accepted;
  }

  /** With the lock held: when what was refused is tried again. */
  Optional<Instant> nextRetry() {
    return refusals.next();
  }

  // ---------------------------------------------------------------- beginning

  /** Has the target read back and corrected, now or, if that is going on, once more after it. */
  void reconcile() {
    state.lock();
    try {
      SessionPhase asked = state.phase.reconcileAsked();
      if (state.phase instanceof Ready || state.phase instanceof Refusing) {
        drain(asked);
      } else {
        state.phase = asked;
      }
    } finally {
      state.unlock();
    }
  }

  /** Accepts the next comparison whatever it deletes, and begins it if the last one was refused. */
  void adopt() {
    state.lock();
    try {
      adopting = true;
      if (state.phase instanceof Refusing) {
        LOG.warn("{}: is adopted, whatever that deletes there", target.name());
        drain(state.phase.reconcileAsked());
      }
    } finally {
      state.unlock();
    }
  }

  private void retryRefused() {
    if (state.locked(refusals::isDue)) {
      reconcile();
    }
  }

  /** With the lock held: sends nothing until what is in flight is answered, then reads. */
  void drain(SessionPhase draining) {
    state.phase = draining;
    session.execute(
        state.number,
        drained -> {
          listener.stateChanged(target.name(), SessionState.RECONCILING, Optional.empty());
          read(drained);
        });
  }

  /** Reads, if nothing is in flight; otherwise the last answer calls again. */
  private void read(int reading) {
    boolean[] begun = new boolean[1];
    source.exclusively(
        () -> {
          state.lock();
          try {
            if (state.is(reading, Draining.class) && session.isQuiet()) {
              state.phase = state.phase.drained(clock.instant());
              board.failedStale();
              refusals.readingBegins();
              repairs = new Repairs();
              source.begin();
              session.leaveToReading();
              begun[0] = true;
            }
          } finally {
            state.unlock();
          }
        });
    if (begun[0]) {
      target.read(source.expected(), new Readback(reading));
    }
  }

  // ---------------------------------------------------------------- comparing

  /** Has what is read compared, and collects what has no form in domain words. */
  private final class Readback implements Target.ReadHandler<E> {
    private final int reading;
    private final List<Target.Removal> removals = new ArrayList<>();

    Readback(int reading) {
      this.reading = reading;
    }

    @Override
    public void entries(List<E> entries) {
      session.guarded(
          reading,
          () ->
              source.exclusively(
                  () -> {
                    if (state.locked(() -> state.is(reading, Reading.class))) {
                      session.noteAnswer();
                      source.compare(entries, session.correcting(repairs));
                    }
                  }));
    }

    @Override
    public void malformed(String reason, Target.Removal remove) {
      LOG.warn("{}: an entry that is not Sluice's is to be removed: {}", target.name(), reason);
      state.lock();
      try {
        removals.add(remove);
      } finally {
        state.unlock();
      }
    }

    @Override
    public void complete() {
      session.execute(reading, complete -> compared(complete, removals));
    }

    @Override
    public void failed(String reason) {
      session.lose(reading, "cannot read back: " + reason);
    }
  }

  /** Everything was read: goes on with correcting, unless that would delete more than it may. */
  private void compared(int reading, List<Target.Removal> removals) {
    boolean[] here = new boolean[1];
    String[] refusal = new String[1];
    source.exclusively(
        () -> {
          // It may ask the store, for which whoever asks for the session's state does not wait.
          ReconcileSource.Comparison found =
              state.locked(() -> state.is(reading, Reading.class)) ? source.compared() : null;
          state.lock();
          try {
            if (found != null && state.is(reading, Reading.class)) {
              here[0] = true;
              refusal[0] = judge(found, removals.size()).orElse(null);
            }
          } finally {
            state.unlock();
          }
        });
    if (!here[0]) {
      return;
    }
    if (refusal[0] == null) {
      listener.accepted(target.name());
      remove(reading, removals);
      return;
    }
    LOG.error("{}: {}", target.name(), refusal[0]);
    listener.stateChanged(target.name(), SessionState.REFUSING, Optional.of(refusal[0]));
    listener.settled(target.name());
  }

  /** With the lock held: why the session refuses to correct what differs, if it does. */
  private Optional<String> judge(ReconcileSource.Comparison found, int malformed) {
    Instant since = ((Reading) state.phase).since();
    Instant now = clock.instant();
    heldNothing = found.held() == 0;
    StoreHistory history = source.store().history();
    compared =
        new TargetDrift.Comparison(
            Optional.of(now),
            Duration.between(since, now),
            found.read() + malformed,
            malformed,
            found.revisions().stream().mapToLong(Revision::number).max(),
            history.revision().number(),
            found.tables());
    if (!heldNothing) {
      for (Difference difference : Difference.values()) {
        long differ = found.tables().stream().mapToLong(table -> table.count(difference)).sum();
        foundSoFar.merge(difference, differ, Long::sum);
      }
    }
    Optional<String> refusal =
        adopting
            ? Optional.empty()
            : new DeletionGuard(config.comparing().deletionLimit())
                .refusal(
                    target.name(),
                    found,
                    malformed,
                    owedDeletions + deletionsQueued(),
                    history,
                    lost(found, history));
    accepted = refusal.isEmpty();
    if (refusal.isPresent()) {
      session.giveUp(state.phase.refused(refusal.get()));
      repairs = new Repairs();
      scheduleAudit();
    } else {
      if (adopting) {
        source.store().accept();
      }
      repairs.accept();
      keeper.accepted(found.revisions());
      state.phase = state.phase.readBack(malformed);
    }
    return refusal;
  }

  /** With the lock held: the last commit that the store is known to have had, and has no more. */
  private Optional<Revision> lost(ReconcileSource.Comparison found, StoreHistory history) {
    Revision known = keeper.known();
    return Stream.concat(
            found.revisions().stream().filter(revision -> !source.store().has(revision)),
            Stream.of(known).filter(revision -> !history.has(revision)))
        .max(Comparator.comparingLong(Revision::number));
  }

  /** With the lock held: deletions of changes that were accepted while the target was read. */
  private long deletionsQueued() {
    long[] queued = new long[1];
    outbox.forEach(
        write -> {
          if (isOwed(write) && source.deletes(write.op(), write.entity())) {
            queued[0]++;
          }
        });
    return queued[0];
  }

  // ---------------------------------------------------------------- correcting

  /** Removals come before rewriting, because what replaces them may have the same key. */
  private void remove(int removing, List<Target.Removal> removals) {
    Target.WriteHandler answer = session.answer(removing, results -> removed(removing, results));
    for (Target.Removal removal : removals) {
      state.locked(
          () -> {
            repairs.sent();
            return null;
          });
      removal.run(answer);
    }
    if (removals.isEmpty()) {
      rewrite(removing);
    }
  }

  private void removed(int removing, WriteResults results) {
    state.lock();
    try {
      if (!state.is(removing, Removing.class)) {
        return;
      }
      if (results.code(0) == WriteCode.REFUSED) {
        board.refusedUnowned(results.message(0));
        refusals.refused();
        repairs.failed();
      } else {
        repairs.done();
      }
      state.phase = state.phase.removed();
      if (state.phase instanceof Rewriting) {
        session.execute(removing, this::rewrite);
      }
    } finally {
      state.unlock();
    }
  }

  /** Queues a part of what is missing, and goes on with the next, or when there is room for it. */
  private void rewrite(int rewriting) {
    boolean[] ready = new boolean[1];
    source.exclusively(
        () -> {
          if (!mayRewrite(rewriting)) {
            return;
          }
          if (source.rewrite(session.correcting(repairs))) {
            ready[0] = finish(rewriting);
          } else {
            session.execute(rewriting, this::rewrite);
          }
        });
    session.pump();
    if (ready[0]) {
      listener.stateChanged(target.name(), SessionState.READY, Optional.empty());
      listener.settled(target.name());
      reportIfAnswered();
    }
  }

  private boolean mayRewrite(int rewriting) {
    return state.locked(
        () -> {
          if (!state.is(rewriting, Rewriting.class)) {
            return false;
          }
          boolean room = outbox.waiting() < config.writing().queueCapacity();
          state.phase = state.phase.room(room);
          return room;
        });
  }

  // ---------------------------------------------------------------- ending

  /** True if changes are written as they come now; false if the next reconciliation begins. */
  private boolean finish(int finished) {
    state.lock();
    try {
      if (finished != state.number || !(state.phase instanceof Rewriting rewriting)) {
        return false;
      }
      session.proven();
      adopting = false;
      owedDeletions = 0;
      board.allFresh();
      reconciledTo = session.lastWrite();
      noteIfReconciled();
      scheduleAudit();
      SessionPhase next = rewriting.rewritten(report(rewriting.since()));
      if (next instanceof Draining) {
        drain(next);
        return false;
      }
      state.phase = next;
      return true;
    } finally {
      state.unlock();
    }
  }

  /** With the lock held: of what was deleted nothing is left once all corrections are answered. */
  private void noteIfReconciled() {
    if (reconciledTo != NOT_RECONCILED && outbox.lowestSequence() > reconciledTo) {
      reconciledTo = NOT_RECONCILED;
      board.deletionsFresh();
    }
  }

  /**
   * With the lock held, as a reconciliation ends: has the next begun after a while. A target can
   * lose or gain entries without the session's end, by an operator at its own command line as much
   * as by a fault.
   */
  private void scheduleAudit() {
    audit.cancel();
    config
        .comparing()
        .auditInterval()
        .ifPresent(interval -> audit = scheduler.schedule(interval, this::reconcile));
  }

  private ReconcileReport report(Instant since) {
    ReconcileSource.Findings found = source.findings();
    return new ReconcileReport(
        target.name(),
        found.read(),
        found.wrong(),
        found.unknown(),
        found.rewritten(),
        Duration.between(since, clock.instant()));
  }

  /** Tells of the reconciliation once everything it wrote is answered. */
  void reportIfAnswered() {
    ReconcileReport report;
    state.lock();
    try {
      if (!(state.phase instanceof Ready ready)
          || ready.unreported().isEmpty()
          || !outbox.isIdle()) {
        return;
      }
      report = ready.unreported().get();
      state.phase = ready.reported();
      refusals.answered();
    } finally {
      state.unlock();
    }
    LOG.info(
        heldNothing && report.read() > 0
            ? "{}: read back in {} s: {} entries, none of which stood for a declaration yet; {}"
                + " were set to what is declared, {} removed, {} written"
            : "{}: read back in {} s: {} entries, of which {} were wrong and {} unknown; {}"
                + " written",
        report.target(),
        report.elapsed().toMillis() / MILLIS_PER_SECOND,
        report.read(),
        report.wrong(),
        report.unknown(),
        report.rewritten());
    listener.reconciled(report);
  }

  /** The result of the last comparison and of the repairs after it. */
  TargetDrift drift() {
    return state.locked(
        () ->
            new TargetDrift(
                target.name(),
                compared,
                repairs.sentSoFar(),
                repairs.doneSoFar(),
                repairs.failedSoFar(),
                state.phase instanceof Ready && repairs.doneSoFar() == repairs.sentSoFar(),
                foundSoFar));
  }
}
