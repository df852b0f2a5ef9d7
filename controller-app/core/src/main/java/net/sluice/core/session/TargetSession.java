package net.sluice.core.session;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.target.Target;
import net.sluice.core.target.WriteBatch;
import net.sluice.core.target.WriteCode;
import net.sluice.core.target.WriteResults;
import net.sluice.core.time.Scheduler;
import net.sluice.intents.plan.Op;
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
 * @param <E> {@code SwitchEntry} or {@code FpgaSetting}
 */
public final class TargetSession<E> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TargetSession.class);

  enum Phase {
    /** Writing as changes come. */
    WRITING,
    /** Waiting for what is in flight, in order to read. */
    DRAINING,
    /** Reading; nothing is sent. */
    READING,
    /** Writing what was found missing. */
    REWRITING
  }

  // What has no modifier is shared with the reconciliation, which is the other half of this class.
  final Target<E> target;
  private final EntityKeys<E> keys;
  final StatusBoard board;
  final Scheduler scheduler;
  final Clock clock;
  final SessionSettings settings;
  final ReconcileSource<E> source;
  final SessionListener listener;
  private final Reconciliation<E> reconciliation;

  final ReentrantLock lock = new ReentrantLock();
  private final Condition spaceFreed = lock.newCondition();
  final Outbox<E> outbox = new Outbox<>();
  SessionState state = SessionState.CONNECTING;
  Phase phase = Phase.WRITING;
  private Optional<String> detail = Optional.of("not yet connected");
  private Optional<Instant> nextConnect = Optional.empty();
  private Optional<Instant> nextRetry = Optional.empty();
  int generation;
  int connectFailures;
  int refusedRetries;

  /** Something was refused since reading last began, whatever has become of its owner. */
  boolean owesRetry;

  private long sequence;
  private boolean pumpScheduled;
  private Scheduler.Cancellable audit = () -> {};

  /** A session that does nothing until {@link #start}. */
  public TargetSession(
      Target<E> target,
      EntityKeys<E> keys,
      StatusBoard board,
      Scheduler scheduler,
      Clock clock,
      SessionSettings settings,
      ReconcileSource<E> source,
      SessionListener listener) {
    this.target = target;
    this.keys = keys;
    this.board = board;
    this.scheduler = scheduler;
    this.clock = clock;
    this.settings = settings;
    this.source = source;
    this.listener = listener;
    this.reconciliation = new Reconciliation<>(this);
  }

  /** Begins to connect. */
  public void start() {
    scheduler.execute(this::connect);
  }

  /** Status of the owners at this target. */
  public StatusBoard board() {
    return board;
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
   * @param gate holds the write, and all after it, back; null for none
   * @param retires whether it leaves a subscriber index free, see {@link WriteBatch#retires}
   * @return its number, for {@link #isSettled}
   */
  public long submit(Op op, E entity, int owner, Gate gate, boolean retires) {
    boolean failedBefore = board.isFailed(owner);
    lock.lock();
    try {
      if (state == SessionState.CONNECTING || state == SessionState.CLOSED) {
        board.stale(owner);
        return sequence;
      }
      if (phase == Phase.READING) {
        source.touched(owner);
      }
      add(op, entity, owner, gate, retires);
    } finally {
      lock.unlock();
    }
    if (failedBefore) {
      // The change's writes assume that those before it were done, which they were not.
      source.rewriteOwner(owner, this::correct);
    }
    lock.lock();
    try {
      return sequence;
    } finally {
      lock.unlock();
    }
  }

  private void add(Op op, E entity, int owner, Gate gate, boolean retires) {
    outbox.add(new Update<>(op, entity, owner, keys.of(entity), ++sequence, 1, gate, retires));
    board.enqueued(owner);
  }

  void correct(Op op, E entity, int owner, boolean retires) {
    lock.lock();
    try {
      if (state == SessionState.RECONCILING || state == SessionState.READY) {
        add(op, entity, owner, null, retires);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Has what was submitted sent. */
  public void flush() {
    lock.lock();
    try {
      if (!pumpScheduled && outbox.waiting() > 0) {
        pumpScheduled = true;
        scheduler.execute(this::pump);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Blocks while the queue is full. */
  public void awaitSpace() throws InterruptedException {
    lock.lock();
    try {
      while (outbox.waiting() >= settings.queueCapacity()
          && (state == SessionState.READY || state == SessionState.RECONCILING)) {
        spaceFreed.await();
      }
    } finally {
      lock.unlock();
    }
  }

  /** True if the write of that number and all before it are answered, or cannot be sent now. */
  public boolean isSettled(long number) {
    lock.lock();
    try {
      return state == SessionState.CONNECTING
          || state == SessionState.CLOSED
          || outbox.lowestSequence() > number;
    } finally {
      lock.unlock();
    }
  }

  // ---------------------------------------------------------------- sending

  void pump() {
    int session;
    lock.lock();
    try {
      pumpScheduled = false;
      session = generation;
    } finally {
      lock.unlock();
    }
    guarded(session, this::send);
  }

  private void send() {
    for (Flight flight = nextFlight(); flight != null; flight = nextFlight()) {
      Flight sent = flight;
      guarded(sent.session, () -> target.write(sent.batch, sent));
    }
  }

  private Flight nextFlight() {
    lock.lock();
    try {
      boolean maySend =
          (state == SessionState.READY && phase == Phase.WRITING)
              || (state == SessionState.RECONCILING && phase == Phase.REWRITING);
      Target.Capabilities can = target.capabilities();
      if (!maySend || outbox.flights() >= Math.min(settings.window(), can.maxInFlight())) {
        return null;
      }
      List<Update<E>> updates = outbox.takeOff(Math.min(settings.batchSize(), can.maxBatch()));
      return updates.isEmpty() ? null : new Flight(generation, updates);
    } finally {
      lock.unlock();
    }
  }

  /** A batch in flight. */
  private final class Flight implements Target.WriteHandler {
    private final int session;
    private final List<Update<E>> updates;
    private final WriteBatch<E> batch = new WriteBatch<>();

    Flight(int session, List<Update<E>> updates) {
      this.session = session;
      this.updates = updates;
      for (Update<E> update : updates) {
        batch.add(update.op, update.entity, update.retires);
      }
    }

    @Override
    public void done(WriteResults results) {
      guarded(session, () -> answered(results));
    }

    private void answered(WriteResults results) {
      Optional<String> unavailable = Optional.empty();
      for (int i = 0; i < updates.size() && unavailable.isEmpty(); i++) {
        if (results.code(i) == WriteCode.UNAVAILABLE) {
          unavailable = Optional.of(results.message(i));
        }
      }
      if (unavailable.isPresent()) {
        lost(unavailable.get());
        return;
      }
      lock.lock();
      try {
        if (session != generation) {
          return;
        }
        outbox.land(updates);
        settle(results);
        afterFlight();
      } finally {
        lock.unlock();
      }
      listener.settled(target.name());
      reconciliation.reportIfIdle();
    }

    private void settle(WriteResults results) {
      List<Update<E>> retries = new ArrayList<>(0);
      synchronized (board) {
        for (int i = 0; i < updates.size(); i++) {
          Update<E> update = updates.get(i);
          WriteCode code = results.code(i);
          Op retry = null;
          if (code == WriteCode.ALREADY_EXISTS && update.op == Op.INSERT) {
            retry = Op.MODIFY;
          } else if (code == WriteCode.NOT_FOUND && update.op == Op.MODIFY) {
            retry = Op.INSERT;
          }
          if (code == WriteCode.OK || (code == WriteCode.NOT_FOUND && update.op == Op.DELETE)) {
            board.settled(update.owner);
          } else if (retry != null && update.attempt < Update.MAX_ATTEMPTS) {
            retries.add(update.retriedAs(retry));
          } else {
            String words = results.message(i);
            board.failed(update.owner, words.isEmpty() ? code.toString() : words);
            if (update.op == Op.DELETE) {
              // Still there, even if the owner goes or is rewritten.
              board.refusedUnowned(words);
            }
            scheduleRetry();
          }
        }
      }
      outbox.addFirst(retries);
    }

    @Override
    public void lost(String reason) {
      lose(session, reason);
    }
  }

  /** With the lock held: lets go on what waited for a flight to land. */
  private void afterFlight() {
    spaceFreed.signalAll();
    if (phase == Phase.DRAINING && outbox.flights() == 0) {
      int session = generation;
      execute(session, () -> reconciliation.read(session));
    }
    reconciliation.resumeRewriting();
    if (!pumpScheduled && outbox.waiting() > 0) {
      pumpScheduled = true;
      scheduler.execute(this::pump);
    }
  }

  // ---------------------------------------------------------------- connecting

  private void connect() {
    int session;
    lock.lock();
    try {
      if (state != SessionState.CONNECTING) {
        return;
      }
      session = ++generation;
      nextConnect = Optional.empty();
    } finally {
      lock.unlock();
    }
    guarded(
        session,
        () ->
            target.connect(
                new Target.SessionListener() {
                  @Override
                  public void up() {
                    execute(session, () -> begin(session));
                  }

                  @Override
                  public void down(String reason) {
                    lose(session, reason);
                  }
                }));
  }

  private void begin(int session) {
    lock.lock();
    try {
      if (session == generation && state == SessionState.CONNECTING) {
        startReconciling();
      }
    } finally {
      lock.unlock();
    }
  }

  void lose(int session, String reason) {
    Duration wait;
    lock.lock();
    try {
      if (session != generation || state == SessionState.CLOSED) {
        return;
      }
      generation++;
      state = SessionState.CONNECTING;
      phase = Phase.WRITING;
      reconciliation.reset();
      outbox.drop();
      board.allStale();
      wait = backoff(connectFailures++);
      nextConnect = Optional.of(clock.instant().plus(wait));
      detail = Optional.of(reason);
      spaceFreed.signalAll();
      scheduler.schedule(wait, this::connect);
      // With the lock held, so that it cannot end the session that comes next.
      target.disconnect();
    } finally {
      lock.unlock();
    }
    LOG.warn("{}: no session: {}; next attempt in {}", target.name(), reason, wait);
    listener.stateChanged(target.name(), SessionState.CONNECTING, Optional.of(reason));
    listener.settled(target.name());
  }

  /**
   * Does a part of a session. What nobody foresaw, a class that cannot be loaded as much as a
   * mistake here, ends the session: its status tells so and it is begun anew. Left alone it would
   * end the task only, and whatever was to follow would be waited for without end.
   */
  void guarded(int session, Runnable part) {
    try {
      part.run();
    } catch (RuntimeException | Error e) {
      LOG.error("{}: the session is given up", target.name(), e);
      lose(session, "given up: " + e);
    }
  }

  /** Has a part of a session done by the scheduler. */
  void execute(int session, Runnable part) {
    scheduler.execute(() -> guarded(session, part));
  }

  private Duration backoff(int failures) {
    Duration wait = settings.firstBackoff().multipliedBy(1L << Math.min(failures, 30));
    return wait.compareTo(settings.maxBackoff()) > 0 ? settings.maxBackoff() : wait;
  }

  // ---------------------------------------------------------------- reconciling

  /** Has the target read back and corrected, now or, if that is going on, once more after it. */
  public void reconcile() {
    lock.lock();
    try {
      if (state == SessionState.RECONCILING) {
        reconciliation.again = true;
      } else if (state == SessionState.READY) {
        startReconciling();
      }
    } finally {
      lock.unlock();
    }
  }

  /** With the lock held, and a session standing. */
  void startReconciling() {
    int session = generation;
    state = SessionState.RECONCILING;
    phase = Phase.DRAINING;
    detail = Optional.empty();
    execute(
        session,
        () -> {
          listener.stateChanged(target.name(), SessionState.RECONCILING, Optional.empty());
          reconciliation.read(session);
        });
  }

  /**
   * With the lock held, as a reconciliation ends: has the next begun after a while. A target can
   * lose or gain entries without the session's end, by an operator at its own command line as much
   * as by a fault.
   */
  void scheduleAudit() {
    audit.cancel();
    settings
        .auditInterval()
        .ifPresent(interval -> audit = scheduler.schedule(interval, this::reconcile));
  }

  /** With the lock held: what was refused is tried again after a while, by reconciling. */
  void scheduleRetry() {
    owesRetry = true;
    if (nextRetry.isPresent()) {
      return;
    }
    int factor = Math.min(SessionSettings.MAX_RETRY_FACTOR, 1 << Math.min(refusedRetries++, 30));
    Duration wait = settings.refusedRetry().multipliedBy(factor);
    nextRetry = Optional.of(clock.instant().plus(wait));
    scheduler.schedule(
        wait,
        () -> {
          boolean wanted;
          lock.lock();
          try {
            nextRetry = Optional.empty();
            wanted = owesRetry;
          } finally {
            lock.unlock();
          }
          if (wanted) {
            reconcile();
          }
        });
  }

  // ---------------------------------------------------------------- looking

  /** What the session does. */
  public SessionState state() {
    lock.lock();
    try {
      return state;
    } finally {
      lock.unlock();
    }
  }

  /** Why there is no session; empty if there is one. */
  public Optional<String> detail() {
    lock.lock();
    try {
      return detail;
    } finally {
      lock.unlock();
    }
  }

  /** When the next attempt to connect, or else to write what was refused, is made. */
  public Optional<Instant> nextAttempt() {
    lock.lock();
    try {
      return state == SessionState.CONNECTING ? nextConnect : nextRetry;
    } finally {
      lock.unlock();
    }
  }

  /** What a declaration waits for that is not at the target yet; empty if for nothing any more. */
  public Optional<String> awaited() {
    lock.lock();
    try {
      return Awaited.words(
          state,
          phase,
          nextConnect.isEmpty(),
          outbox.waiting(),
          outbox.writesInFlight(),
          reconciliation.start);
    } finally {
      lock.unlock();
    }
  }

  /** Writes not yet sent. */
  public int waiting() {
    lock.lock();
    try {
      return outbox.waiting();
    } finally {
      lock.unlock();
    }
  }

  /** Writes sent and not yet answered. */
  public int inFlight() {
    lock.lock();
    try {
      return outbox.writesInFlight();
    } finally {
      lock.unlock();
    }
  }

  /** Ends the session for good. */
  @Override
  public void close() {
    lock.lock();
    try {
      generation++;
      state = SessionState.CLOSED;
      detail = Optional.of("closed");
      spaceFreed.signalAll();
    } finally {
      lock.unlock();
    }
    target.close();
    scheduler.close();
    listener.stateChanged(target.name(), SessionState.CLOSED, Optional.empty());
  }
}
