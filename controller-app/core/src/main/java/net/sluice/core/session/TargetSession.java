package net.sluice.core.session;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import net.sluice.core.ControllerConfig;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.TargetDrift;
import net.sluice.core.session.SessionPhase.BackingOff;
import net.sluice.core.session.SessionPhase.Connecting;
import net.sluice.core.session.SessionPhase.Standby;
import net.sluice.core.store.StoreException;
import net.sluice.core.target.Target;
import net.sluice.core.target.WriteBatch;
import net.sluice.core.target.WriteResults;
import net.sluice.core.time.Backoff;
import net.sluice.core.time.Scheduler;
import net.sluice.core.trace.CurrentTrace;
import net.sluice.intents.plan.Entity;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.OwnerIds;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one target's content equal to the declarations.
 *
 * <p>Changes are submitted in the order of the store and written in batches, several in flight, so
 * that no write overtakes an earlier one of the same owner or key. Whenever a session begins, and
 * when asked to, everything the target holds is read back and corrected; nothing is sent meanwhile,
 * so what is read stands still. While there is no session nothing is queued either: the reading at
 * its beginning finds whatever was missed.
 *
 * <p>What the session does and what comes next is its {@link SessionPhase}. This class connects and
 * writes; what reading back and correcting need is done by its {@link Reconciliation}.
 *
 * <p>More than 500 lines, because connecting, sending and giving up change one phase under one
 * lock.
 *
 * @param <E> {@code SwitchEntry} or {@code FpgaSetting}
 */
public final class TargetSession<E extends Entity> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TargetSession.class);
  private static final double MILLIS_PER_SECOND = 1000;

  private final Target<E> target;
  private final StatusBoard board;
  private final Scheduler scheduler;
  private final Clock clock;
  private final ControllerConfig config;
  private final ReconcileSource<E> source;
  private final SessionListener listener;
  private final LockedPhase state = new LockedPhase();
  private final Condition spaceFreed = state.newCondition();
  private final Outbox<E> outbox = new Outbox<>();
  private final Backoff connectBackoff;
  private final Reconciliation<E> reconciliation;
  private final RevisionKeeper<E> keeper;

  /** Number of the last write; with the lock held. */
  private long sequence;

  /**
   * Writes up to that number are answered, or were given up; read without the lock, by the barriers
   * of every write that waits for this target.
   */
  private volatile long settledUpTo;

  /** Written with the lock held. */
  private volatile long answered;

  /** Whether a write may wait behind a barrier that answers of this very target lift. */
  private boolean barsItself;

  private boolean pumpScheduled;
  private String lastLoss = "";

  /** A session that does nothing until {@link #start}. */
  public TargetSession(
      Target<E> target,
      StatusBoard board,
      Scheduler scheduler,
      Clock clock,
      ControllerConfig config,
      ReconcileSource<E> source,
      SessionListener listener) {
    this.target = target;
    this.board = board;
    this.scheduler = scheduler;
    this.clock = clock;
    this.config = config;
    this.source = source;
    this.listener = listener;
    this.connectBackoff = config.retrying().backoff();
    SessionParts<E> parts =
        new SessionParts<>(
            target, board, scheduler, clock, config, source, listener, state, outbox);
    this.keeper = new RevisionKeeper<>(parts, this::pump);
    this.reconciliation = new Reconciliation<>(new Corrected(), parts, keeper);
  }

  /** Begins to connect. */
  public void start() {
    scheduler.execute(() -> connect(0));
  }

  /** Status of the owners at this target. */
  public StatusBoard board() {
    return board;
  }

  /** The agent beside the target, see {@link Target#agent}. */
  public Optional<String> agent() {
    return target.agent();
  }

  /** Name of the target. */
  public String name() {
    return target.name();
  }

  // ---------------------------------------------------------------- submitting

  /**
   * Takes over a write of an accepted change; the caller holds the order of changes. Never blocks:
   * see {@link #awaitSpace}.
   *
   * @param deletion the deletion it is a part of; {@link OwnerIds#NONE} for none
   * @param barrier holds the write back, and later ones of its owner or key; null for none
   * @param retires whether it leaves a subscriber index free, see {@link WriteBatch#retires}
   * @return its number, for {@link #isSettled}
   */
  public long submit(
      Op op, E entity, int owner, int deletion, WriteBarrier barrier, boolean retires) {
    boolean failedBefore = board.isFailed(owner);
    state.lock();
    try {
      if (!state.phase.isUp()) {
        reconciliation.notSent(op, entity);
        board.stale(owner);
        board.stale(deletion);
        return sequence;
      }
      if (state.phase.isReading()) {
        source.touched(owner);
        if (barrier == null && source.rewritesAll(op, entity, owner)) {
          // Queued, it would be written twice.
          board.stale(owner);
          board.stale(deletion);
          return sequence;
        }
      }
      add(op, entity, owner, deletion, barrier, retires, null);
    } finally {
      state.unlock();
    }
    if (failedBefore) {
      // The change's writes assume that those before it were done, which they were not. Later, as
      // another change may be planned now and not be durable yet.
      execute(
          state.locked(() -> state.number),
          same -> source.exclusively(() -> source.rewriteOwner(owner, correcting(null))));
    }
    return state.locked(() -> sequence);
  }

  private void add(
      Op op,
      E entity,
      int owner,
      int deletion,
      WriteBarrier barrier,
      boolean retires,
      Repairs repairs) {
    long key = entity.keyNumber();
    outbox.add(
        new PendingWrite<>(
            op,
            entity,
            owner,
            deletion,
            key,
            ++sequence,
            1,
            barrier,
            retires,
            repairs,
            CurrentTrace.get()));
    board.enqueued(owner);
    board.enqueued(deletion);
  }

  /** Queues corrections; {@code repairs} counts what becomes of them, null if nobody does. */
  private CorrectionSink<E> correcting(Repairs repairs) {
    return (op, entity, owner, retires) -> {
      state.lock();
      try {
        if (state.phase.isUp()) {
          add(op, entity, owner, OwnerIds.NONE, null, retires, repairs);
          if (repairs != null) {
            repairs.sent();
          }
        }
      } finally {
        state.unlock();
      }
    };
  }

  /** Has what waits for barriers looked at again, and sent if they are lifted. */
  public void barriersChanged() {
    state.lock();
    try {
      outbox.barriersChanged();
      schedulePump();
    } finally {
      state.unlock();
    }
  }

  /** Barriers of what was submitted wait for answers of this target, too. */
  public void barsItself() {
    state.lock();
    try {
      barsItself = true;
    } finally {
      state.unlock();
    }
  }

  /** A commit is durable: has what was submitted of it sent. */
  public void flush() {
    state.lock();
    try {
      keeper.committed();
      schedulePump();
    } finally {
      state.unlock();
    }
  }

  /** Blocks while {@code capacity} or more writes wait; false if they do for that long. */
  public boolean awaitSpace(int capacity, Duration patience) throws InterruptedException {
    state.lock();
    try {
      long leftNanos = patience.toNanos();
      while (outbox.waiting() >= capacity && state.phase.isUp()) {
        if (leftNanos <= 0) {
          return false;
        }
        leftNanos = spaceFreed.awaitNanos(leftNanos);
      }
      return true;
    } finally {
      state.unlock();
    }
  }

  /** True if the write of that number and all before it are answered, or were given up. */
  public boolean isSettled(long number) {
    return number <= settledUpTo;
  }

  /** With the lock held, when answers have come or everything was given up. */
  private void settle() {
    settledUpTo = outbox.isIdle() ? sequence : outbox.lowestSequence() - 1;
  }

  // ---------------------------------------------------------------- sending

  /** With the lock held. */
  private void schedulePump() {
    if (!pumpScheduled && (outbox.waiting() > 0 || keeper.isWanted())) {
      pumpScheduled = true;
      scheduler.execute(this::pump);
    }
  }

  private void pump() {
    int sending =
        state.locked(
            () -> {
              pumpScheduled = false;
              return state.number;
            });
    guarded(
        sending,
        () -> {
          for (InFlightBatch<E> next = nextFlight(); next != null; next = nextFlight()) {
            InFlightBatch<E> flight = next;
            Answer answer = new Answer(flight.session(), results -> answered(flight, results));
            guarded(
                flight.session(),
                () ->
                    target.write(
                        flight.batch(),
                        TracedWrites.following(answer, target.name(), flight.writes())));
          }
        });
  }

  private InFlightBatch<E> nextFlight() {
    return state.locked(
        () -> {
          Target.Capabilities can = target.capabilities();
          if (!state.phase.maySend()
              || outbox.flights() >= Math.min(config.writing().window(), can.maxInFlight())) {
            return null;
          }
          int room = Math.min(config.writing().batchSize(), can.maxBatch());
          Optional<PendingWrite<E>> own = keeper.next();
          List<PendingWrite<E>> writes = outbox.nextBatch(own.isPresent() ? room - 1 : room);
          return writes.isEmpty() && own.isEmpty()
              ? null
              : new InFlightBatch<>(state.number, writes, own);
        });
  }

  /** Takes the answer to a batch, if it says what was done. */
  private final class Answer implements Target.WriteHandler {
    private final int asking;
    private final Consumer<WriteResults> then;

    Answer(int asking, Consumer<WriteResults> then) {
      this.asking = asking;
      this.then = then;
    }

    @Override
    public void done(WriteResults results) {
      guarded(
          asking,
          () -> results.unavailable().ifPresentOrElse(this::lost, () -> then.accept(results)));
    }

    @Override
    public void lost(String reason) {
      lose(asking, reason);
    }
  }

  private void answered(InFlightBatch<E> flight, WriteResults results) {
    state.lock();
    try {
      if (flight.session() != state.number) {
        return;
      }
      outbox.land(flight.writes());
      int own = flight.writes().size();
      flight.own().ifPresent(write -> keeper.answered(results.code(own), results.message(own)));
      answered++;
      outbox.addFirst(flight.settle(results, board, reconciliation::refused));
      settle();
      if (barsItself) {
        outbox.barriersChanged();
        barsItself = outbox.isBarred();
      }
      spaceFreed.signalAll();
      reconciliation.answered();
      schedulePump();
    } finally {
      state.unlock();
    }
    listener.settled(target.name());
    reconciliation.reportIfAnswered();
  }

  // ---------------------------------------------------------------- connecting

  /** {@code attempt}: number of the attempt; one that is out of date is not made. */
  private void connect(int attempt) {
    state.lock();
    try {
      if (attempt != state.number) {
        return;
      }
      state.phase = state.phase.attemptDue();
      if (!(state.phase instanceof Connecting)) {
        return;
      }
    } finally {
      state.unlock();
    }
    guarded(
        attempt,
        () ->
            target.connect(
                new Target.SessionListener() {
                  @Override
                  public void up() {
                    execute(attempt, TargetSession.this::begin);
                  }

                  @Override
                  public void down(String reason) {
                    lose(attempt, reason);
                  }
                }));
  }

  private void begin(int begun) {
    state.lock();
    try {
      if (state.is(begun, Connecting.class)) {
        reconciliation.drain(state.phase.up());
      }
    } finally {
      state.unlock();
    }
  }

  private void lose(int lost, String reason) {
    Duration wait;
    boolean known;
    state.lock();
    try {
      if (lost != state.number || state.phase.lost(reason, Instant.MAX) == state.phase) {
        return;
      }
      wait = connectBackoff.next();
      end(state.phase.lost(reason, clock.instant().plus(wait)));
      known = reason.equals(lastLoss);
      lastLoss = reason;
      int next = state.number;
      scheduler.schedule(wait, () -> connect(next));
    } finally {
      state.unlock();
    }
    double seconds = wait.toMillis() / MILLIS_PER_SECOND;
    if (known) {
      LOG.debug("{}: still no session: {}; next attempt in {} s", name(), reason, seconds);
    } else {
      LOG.warn("{}: no session: {}; next attempt in {} s", name(), reason, seconds);
    }
    listener.stateChanged(target.name(), SessionState.CONNECTING, Optional.of(reason));
    listener.settled(target.name());
  }

  /** With the lock held: gives everything up that the session has under way, and ends it. */
  private void end(SessionPhase next) {
    state.number++;
    board.sessionEnds();
    giveUp(next);
    // With the lock held, so that it cannot end the session that comes next.
    target.disconnect();
  }

  /** With the lock held: gives up everything that is queued or under way. */
  private void giveUp(SessionPhase next) {
    state.phase = next;
    reconciliation.givenUp();
    outbox.drop();
    keeper.reset();
    settle();
    board.allStale();
    spaceFreed.signalAll();
  }

  /**
   * Ends the session, if there is one, and begins none before {@link #release}.
   *
   * @param reason what it does meanwhile and why, for people: begins with a verb
   */
  public void hold(String reason) {
    boolean waited;
    state.lock();
    try {
      if (state.phase.held(reason).equals(state.phase)) {
        return;
      }
      waited = state.phase instanceof Standby;
      if (waited) {
        state.phase = state.phase.held(reason);
      } else {
        end(state.phase.held(reason));
      }
    } finally {
      state.unlock();
    }
    if (waited) {
      LOG.debug("{} still {}", name(), reason);
    } else {
      LOG.info("{} {}", name(), reason);
    }
    listener.stateChanged(target.name(), SessionState.CONNECTING, Optional.of(reason));
    listener.settled(target.name());
  }

  /** Begins to connect, if {@link #hold} has kept it from that. */
  public void release() {
    state.lock();
    try {
      if (!(state.phase instanceof Standby)) {
        return;
      }
      connectBackoff.reset();
      state.phase = state.phase.released();
      int attempt = state.number;
      scheduler.execute(() -> connect(attempt));
    } finally {
      state.unlock();
    }
  }

  /** Why what depends on this target must not be written now; empty if it may be. */
  public Optional<String> obstacle() {
    return state.locked(
        () ->
            state.phase.isUp() && reconciliation.isAccepted()
                ? Optional.empty()
                : Optional.of(state.phase.detail().orElse("it is being read back")));
  }

  /**
   * Does a part of a session. An unforeseen failure, a class that cannot be loaded as much as a
   * mistake here, ends the session: its status tells so and it is begun anew. Left alone it would
   * end the task only, and whatever was to follow would be waited for without end. A store that
   * cannot be read ends the session too, so that it is tried again.
   */
  private void guarded(int doing, Runnable part) {
    try {
      part.run();
    } catch (StoreException e) {
      LOG.error("{}: cannot be reconciled, because the store cannot be read", name(), e);
      lose(doing, "cannot reconcile: " + e.getMessage());
    } catch (RuntimeException | Error e) {
      LOG.error("{}: the session is given up for a failure inside the controller", name(), e);
      lose(doing, "given up: " + e);
    }
  }

  /** Has a part of a session, which is told the session's number, done by the scheduler. */
  private void execute(int doing, IntConsumer part) {
    scheduler.execute(() -> guarded(doing, () -> part.accept(doing)));
  }

  // ---------------------------------------------------------------- reconciling

  /** Has the target read back and corrected, now or, if that is going on, once more after it. */
  public void reconcile() {
    reconciliation.reconcile();
  }

  /**
   * Ends the session and begins another one: what waits to be sent is given up, and what the target
   * holds is compared anew.
   *
   * @param reason for people
   */
  public void restart(String reason) {
    lose(state.locked(() -> state.number), reason);
  }

  /** Goes on, after a refusal, with deleting and overwriting what it refused to. */
  public void adopt() {
    reconciliation.adopt();
  }

  /** The result of the last comparison and of the repairs after it. */
  public TargetDrift drift() {
    return reconciliation.drift();
  }

  // ---------------------------------------------------------------- looking

  /** The state of the session. */
  public SessionState state() {
    return state.locked(() -> state.phase.state());
  }

  /** Why there is no session; empty if there is one. */
  public Optional<String> detail() {
    return state.locked(() -> state.phase.detail());
  }

  /** Why the target does not keep how far the store has got; empty if it does. */
  public Optional<String> unkept() {
    return state
        .locked(keeper::refusal)
        .map(words -> "it refuses to keep how far the store has got: " + words);
  }

  /** When the next attempt to connect, or else to write what was refused, is made. */
  public Optional<Instant> nextAttempt() {
    return state.locked(
        () ->
            state.phase.state() == SessionState.CONNECTING
                ? Optional.ofNullable(
                    state.phase instanceof BackingOff off ? off.nextAttempt() : null)
                : reconciliation.nextRetry());
  }

  /** The reason why a declaration is not at the target yet; empty if it is. */
  public Optional<String> awaited() {
    return state.locked(() -> state.phase.awaited(outbox.waiting(), outbox.writesInFlight()));
  }

  /** Rises with each answer of the target, be it to writes or with what is read. */
  public long answered() {
    return answered;
  }

  /** Writes not yet sent. */
  public int waiting() {
    return state.locked(outbox::waiting);
  }

  /** Writes sent and not yet answered. */
  public int inFlight() {
    return state.locked(outbox::writesInFlight);
  }

  /** For the {@link Reconciliation}. */
  private final class Corrected implements CorrectedSession<E> {
    @Override
    public void execute(int number, IntConsumer part) {
      TargetSession.this.execute(number, part);
    }

    @Override
    public void guarded(int number, Runnable part) {
      TargetSession.this.guarded(number, part);
    }

    @Override
    public void lose(int number, String reason) {
      TargetSession.this.lose(number, reason);
    }

    @Override
    public void giveUp(SessionPhase next) {
      TargetSession.this.giveUp(next);
    }

    @Override
    public void leaveToReading() {
      outbox.removeIf(
          write -> {
            boolean leaves =
                write.barrier() == null
                    && source.rewritesAll(write.op(), write.entity(), write.owner());
            if (leaves) {
              source.touched(write.owner());
              board.stale(write.owner());
              board.settled(write.owner());
              board.stale(write.deletion());
              board.settled(write.deletion());
            }
            return leaves;
          });
      settle();
      spaceFreed.signalAll();
    }

    @Override
    public boolean isQuiet() {
      return outbox.flights() == 0 && !keeper.isUnanswered();
    }

    @Override
    public void proven() {
      connectBackoff.reset();
      lastLoss = "";
    }

    @Override
    public long lastWrite() {
      return sequence;
    }

    @Override
    public void noteAnswer() {
      answered++;
    }

    @Override
    public Target.WriteHandler answer(int number, Consumer<WriteResults> then) {
      return new Answer(number, then);
    }

    @Override
    public CorrectionSink<E> correcting(Repairs repairs) {
      return TargetSession.this.correcting(repairs);
    }

    @Override
    public void pump() {
      TargetSession.this.pump();
    }
  }

  /** Ends the session for good. */
  @Override
  public void close() {
    state.lock();
    try {
      state.number++;
      state.phase = state.phase.closed();
      settledUpTo = Long.MAX_VALUE;
      spaceFreed.signalAll();
    } finally {
      state.unlock();
    }
    target.close();
    scheduler.close();
    listener.stateChanged(target.name(), SessionState.CLOSED, Optional.empty());
  }
}
