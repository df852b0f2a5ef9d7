package net.sluice.core.change;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import net.sluice.core.ControllerException;
import net.sluice.core.Outcome;
import net.sluice.core.UnavailableException;
import net.sluice.core.lock.LockOrder;
import net.sluice.core.lock.OrderedLock;
import net.sluice.core.trace.CurrentTrace;
import net.sluice.core.trace.Trace;
import net.sluice.intents.plan.Change;

/**
 * Lets single changes that come at the same time share a commit: those that come while one is made
 * durable wait, and whoever is next takes all of them along. A change that comes alone waits for
 * nobody. The order is that in which they came.
 *
 * <p>What fails a commit fails every change in it, whatever it is; none of them is made then.
 */
public final class GroupCommit {
  private final Function<Taken, List<Outcome>> together;
  private final Queue<Waiting> waiting;
  private final ReentrantLock turn = new OrderedLock(LockOrder.TURN, true);

  /** A change on its way; read and written by whoever has the turn. */
  static final class Waiting {
    private final Change change;
    private final Trace trace = CurrentTrace.get();
    private Outcome outcome;
    private Throwable failure;

    private Waiting(Change change) {
      this.change = change;
    }

    private boolean isDone() {
      return outcome != null || failure != null;
    }
  }

  /**
   * Makes changes by {@code together}.
   *
   * @param together takes as many changes as one commit may have and makes them, in order; tells
   *     the outcome of each it took
   */
  GroupCommit(Function<Taken, List<Outcome>> together) {
    this(together, new ConcurrentLinkedQueue<>());
  }

  /** As above, with the queue of those that wait. */
  GroupCommit(Function<Taken, List<Outcome>> together, Queue<Waiting> waiting) {
    this.together = together;
    this.waiting = waiting;
  }

  /**
   * Makes a change; returns when it is durable or refused.
   *
   * @throws ControllerException if the commit that it was in failed
   */
  Outcome apply(Change change) {
    Waiting mine = new Waiting(change);
    waiting.add(mine);
    turn.lock();
    try {
      while (!mine.isDone()) {
        commit();
      }
    } finally {
      turn.unlock();
    }
    if (mine.failure != null) {
      throw retold(mine.failure);
    }
    return mine.outcome;
  }

  /** Each caller has a trace of its own. */
  public static ControllerException retold(Throwable failure) {
    if (failure instanceof UnavailableException e) {
      return new UnavailableException(e.getMessage(), e.retryAfter(), e);
    }
    return new ControllerException(
        failure instanceof ControllerException ? failure.getMessage() : failure.toString(),
        failure);
  }

  /** Takes changes off the queue as a commit asks for them. */
  final class Taken implements Iterator<Change> {
    private final List<Waiting> group = new ArrayList<>();

    @Override
    public boolean hasNext() {
      return !waiting.isEmpty();
    }

    @Override
    public Change next() {
      Waiting next = waiting.poll();
      if (next == null) {
        throw new NoSuchElementException();
      }
      group.add(next);
      return next.change;
    }

    /** The request of the change that was taken last; null unless it is followed. */
    Trace trace() {
      return group.get(group.size() - 1).trace;
    }
  }

  private void commit() {
    Taken taken = new Taken();
    try {
      List<Outcome> outcomes = together.apply(taken);
      for (int i = 0; i < taken.group.size(); i++) {
        taken.group.get(i).outcome = outcomes.get(i);
      }
      if (taken.group.isEmpty()) {
        throw new IllegalStateException("a commit took none of the changes that wait");
      }
    } catch (RuntimeException | Error e) {
      // A commit that did not even begin failed those that wait, so that none of them tries anew.
      for (Waiting next; taken.group.isEmpty() && (next = waiting.poll()) != null; ) {
        next.failure = e;
      }
      taken.group.forEach(each -> each.failure = e);
    }
  }
}
