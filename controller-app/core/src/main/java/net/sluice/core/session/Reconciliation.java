package net.sluice.core.session;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.ReconcileReport;
import net.sluice.core.session.TargetSession.Phase;
import net.sluice.core.store.StoreException;
import net.sluice.core.target.Target;
import net.sluice.core.target.WriteCode;
import net.sluice.core.target.WriteResults;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of a session that reads a target back and corrects it. Shares the session's lock.
 *
 * @param <E> {@code SwitchEntry} or {@code FpgaSetting}
 */
final class Reconciliation<E> {
  private static final Logger LOG = LoggerFactory.getLogger(Reconciliation.class);

  private final TargetSession<E> session;
  private final List<Target.Removal> removals = new ArrayList<>();
  private int removalsInFlight;
  private boolean rewriteWaits;

  /** When the last reading began. */
  Instant start = Instant.EPOCH;

  private Optional<ReconcileReport> unreported = Optional.empty();

  /** Set if another reconciliation was asked for while this one goes on. */
  boolean again;

  Reconciliation(TargetSession<E> session) {
    this.session = session;
  }

  /** With the lock held: the session has ended. */
  void reset() {
    again = false;
    rewriteWaits = false;
    unreported = Optional.empty();
    removals.clear();
    removalsInFlight = 0;
  }

  /** Reads, if nothing is in flight; otherwise the last flight calls again. */
  void read(int generation) {
    boolean[] begun = new boolean[1];
    session.source.exclusively(
        () -> {
          session.lock.lock();
          try {
            if (is(generation, Phase.DRAINING) && session.outbox.flights() == 0) {
              session.phase = Phase.READING;
              start = session.clock.instant();
              session.board.failedStale();
              session.owesRetry = false;
              session.source.begin();
              begun[0] = true;
            }
          } finally {
            session.lock.unlock();
          }
        });
    if (begun[0]) {
      session.target.read(session.source.known(), new Reading(generation));
    }
  }

  private final class Reading implements Target.ReadHandler<E> {
    private final int generation;

    Reading(int generation) {
      this.generation = generation;
    }

    @Override
    public void entries(List<E> entries) {
      guarded(
          generation,
          () ->
              session.source.exclusively(
                  () -> {
                    if (isLocked(generation, Phase.READING)) {
                      session.source.compare(entries, session::correct);
                    }
                  }));
    }

    @Override
    public void malformed(String reason, Target.Removal remove) {
      LOG.warn("{}: removing what is none of ours: {}", session.name(), reason);
      session.lock.lock();
      try {
        if (is(generation, Phase.READING)) {
          removals.add(remove);
        }
      } finally {
        session.lock.unlock();
      }
    }

    @Override
    public void complete() {
      session.execute(generation, () -> remove(generation));
    }

    @Override
    public void failed(String reason) {
      session.lose(generation, "cannot read back: " + reason);
    }
  }

  /** Removals come before rewriting, because what replaces them may have the same key. */
  private void remove(int generation) {
    List<Target.Removal> toRemove;
    session.lock.lock();
    try {
      if (!is(generation, Phase.READING)) {
        return;
      }
      toRemove = List.copyOf(removals);
      removals.clear();
      removalsInFlight = toRemove.size();
      if (toRemove.isEmpty()) {
        session.phase = Phase.REWRITING;
      }
    } finally {
      session.lock.unlock();
    }
    toRemove.forEach(removal -> removal.run(new RemovalHandler(generation)));
    if (toRemove.isEmpty()) {
      rewrite(generation);
    }
  }

  private final class RemovalHandler implements Target.WriteHandler {
    private final int generation;

    RemovalHandler(int generation) {
      this.generation = generation;
    }

    @Override
    public void done(WriteResults results) {
      session.guarded(generation, () -> answered(results));
    }

    private void answered(WriteResults results) {
      WriteCode code = results.code(0);
      if (code == WriteCode.UNAVAILABLE) {
        lost(results.message(0));
        return;
      }
      session.lock.lock();
      try {
        if (!is(generation, Phase.READING)) {
          return;
        }
        if (code == WriteCode.REFUSED) {
          session.board.refusedUnowned(results.message(0));
          session.scheduleRetry();
        }
        if (--removalsInFlight == 0) {
          session.phase = Phase.REWRITING;
          session.execute(generation, () -> rewrite(generation));
        }
      } finally {
        session.lock.unlock();
      }
    }

    @Override
    public void lost(String reason) {
      session.lose(generation, reason);
    }
  }

  /** With the lock held: goes on if there is room again for what has to be written. */
  void resumeRewriting() {
    if (rewriteWaits && session.outbox.waiting() <= session.settings.queueCapacity() / 2) {
      rewriteWaits = false;
      int generation = session.generation;
      session.execute(generation, () -> rewrite(generation));
    }
  }

  private void rewrite(int generation) {
    boolean[] complete = new boolean[1];
    guarded(
        generation,
        () ->
            session.source.exclusively(
                () -> {
                  if (!mayRewrite(generation)) {
                    return;
                  }
                  if (session.source.rewrite(session::correct)) {
                    complete[0] = finish(generation);
                  } else {
                    session.execute(generation, () -> rewrite(generation));
                  }
                }));
    session.pump();
    if (complete[0]) {
      session.listener.stateChanged(session.name(), SessionState.READY, Optional.empty());
      session.listener.settled(session.name());
      reportIfIdle();
    }
  }

  private boolean mayRewrite(int generation) {
    session.lock.lock();
    try {
      if (!is(generation, Phase.REWRITING)) {
        return false;
      }
      rewriteWaits = session.outbox.waiting() >= session.settings.queueCapacity();
      return !rewriteWaits;
    } finally {
      session.lock.unlock();
    }
  }

  private boolean finish(int generation) {
    session.lock.lock();
    try {
      if (!is(generation, Phase.REWRITING)) {
        return false;
      }
      session.state = SessionState.READY;
      session.phase = Phase.WRITING;
      session.connectFailures = 0;
      session.scheduleAudit();
      session.board.allFresh();
      ReconcileSource.Findings found = session.source.findings();
      unreported =
          Optional.of(
              new ReconcileReport(
                  session.name(),
                  found.read(),
                  found.wrong(),
                  found.unknown(),
                  found.rewritten(),
                  Duration.between(start, session.clock.instant())));
      if (again) {
        again = false;
        session.startReconciling();
        return false;
      }
      return true;
    } finally {
      session.lock.unlock();
    }
  }

  /** Tells of the reconciliation once everything it wrote is answered. */
  void reportIfIdle() {
    ReconcileReport report;
    session.lock.lock();
    try {
      if (unreported.isEmpty() || session.state != SessionState.READY || !session.outbox.isIdle()) {
        return;
      }
      report = unreported.get();
      unreported = Optional.empty();
      if (!session.owesRetry) {
        session.refusedRetries = 0;
      }
    } finally {
      session.lock.unlock();
    }
    LOG.info("reconciled: {}", report);
    session.listener.reconciled(report);
  }

  /** A store that cannot be read ends the session, so that it is tried again. */
  private void guarded(int generation, Runnable action) {
    session.guarded(
        generation,
        () -> {
          try {
            action.run();
          } catch (StoreException e) {
            LOG.error("{}: reconciliation given up", session.name(), e);
            session.lose(generation, "cannot reconcile: " + e.getMessage());
          }
        });
  }

  private boolean is(int generation, Phase phase) {
    return generation == session.generation && phase == session.phase;
  }

  private boolean isLocked(int generation, Phase phase) {
    session.lock.lock();
    try {
      return is(generation, phase);
    } finally {
      session.lock.unlock();
    }
  }
}
