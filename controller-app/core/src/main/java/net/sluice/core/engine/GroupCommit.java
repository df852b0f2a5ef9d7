package net.sluice.core.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import net.sluice.core.ControllerException;
import net.sluice.core.Outcome;
import net.sluice.intents.plan.Change;

/**
 * Lets single changes that come at the same time share a commit: those that come while one is made
 * durable wait, and whoever is next takes all of them along. A change that comes alone waits for
 * nobody. The order is that in which they came.
 *
 * <p>What fails a commit fails every change in it; none of them is made then.
 */
final class GroupCommit {
  private final Function<List<Change>, List<Outcome>> together;
  private final int most;
  private final Queue<Waiting> waiting;
  private final ReentrantLock turn = new ReentrantLock(true);

  /** A change on its way; read and written by whoever has the turn. */
  static final class Waiting {
    private final Change change;
    private Outcome outcome;
    private RuntimeException failure;

    private Waiting(Change change) {
      this.change = change;
    }
  }

  /**
   * Makes changes by {@code together}.
   *
   * @param together makes changes in one commit, in order, and tells the outcome of each
   * @param most changes of one commit
   */
  GroupCommit(Function<List<Change>, List<Outcome>> together, int most) {
    this(together, most, new ConcurrentLinkedQueue<>());
  }

  /** As above, with the queue of those that wait. */
  GroupCommit(Function<List<Change>, List<Outcome>> together, int most, Queue<Waiting> waiting) {
    this.together = together;
    this.most = most;
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
      while (mine.outcome == null && mine.failure == null) {
        commit();
      }
    } finally {
      turn.unlock();
    }
    if (mine.failure != null) {
      // Each caller has a trace of its own.
      throw new ControllerException(mine.failure.getMessage(), mine.failure);
    }
    return mine.outcome;
  }

  private void commit() {
    List<Waiting> group = new ArrayList<>();
    for (Waiting next; group.size() < most && (next = waiting.poll()) != null; ) {
      group.add(next);
    }
    try {
      List<Outcome> outcomes = together.apply(group.stream().map(each -> each.change).toList());
      for (int i = 0; i < group.size(); i++) {
        group.get(i).outcome = outcomes.get(i);
      }
    } catch (RuntimeException e) {
      group.forEach(each -> each.failure = e);
    }
  }
}
