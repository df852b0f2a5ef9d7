package net.sluice.core.network;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import net.sluice.core.ControllerException;
import net.sluice.core.Outcome;
import net.sluice.core.change.GroupCommit;
import net.sluice.core.change.ShardChanges;
import net.sluice.core.lock.LockOrder;
import net.sluice.core.lock.OrderedLock;
import net.sluice.core.shard.SwitchShard;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.trace.CurrentTrace;
import net.sluice.core.trace.Trace;
import net.sluice.intents.plan.Change;

/**
 * Makes changes of bulks at several switches with one commit for all of them. Bulks that come while
 * one is made durable are planned together next: with each switch having but a part of the changes,
 * what a commit and a write to a switch take apart from their size is shared by more of them.
 *
 * <p>What fails a commit fails all bulks in it; none of their changes in it is made then.
 */
final class BulkGroupCommit {
  private final NetworkStore store;
  private final Queue<Portion> waiting = new ConcurrentLinkedQueue<>();
  private final ReentrantLock turn = new OrderedLock(LockOrder.TURN, true);

  BulkGroupCommit(NetworkStore store) {
    this.store = store;
  }

  /**
   * Makes changes, those of each switch in their order, as long as a switch has room for more.
   *
   * @param left the changes of each switch; keeps those that there is no room for
   * @param outcomes gets the outcomes at each switch, in the order of its changes
   * @throws ControllerException if a commit failed; what was made before it is in the outcomes
   */
  void make(Map<SwitchShard, Iterator<Change>> left, Map<SwitchShard, List<Outcome>> outcomes) {
    while (true) {
      left.values().removeIf(each -> !each.hasNext());
      Map<SwitchShard, Iterator<Change>> ready = new LinkedHashMap<>(left);
      ready.keySet().removeIf(shard -> !shard.changes().hasSpaceForBulk());
      if (ready.isEmpty()) {
        return;
      }
      make(new Portion(ready, outcomes));
    }
  }

  /** The part of one bulk in a commit: as many of the changes that are left as it may have. */
  private static final class Portion {
    private final Map<SwitchShard, Iterator<Change>> left;
    private final Map<SwitchShard, List<Outcome>> outcomes;
    private final Trace trace = CurrentTrace.get();

    /** Set by whoever has the turn. */
    private Commit commit;

    Portion(Map<SwitchShard, Iterator<Change>> left, Map<SwitchShard, List<Outcome>> outcomes) {
      this.left = left;
      this.outcomes = outcomes;
    }
  }

  /** Returns when the portion is durable; whoever has the turn takes those of others along. */
  private void make(Portion mine) {
    waiting.add(mine);
    turn.lock();
    if (mine.commit != null) {
      turn.unlock();
    } else {
      Commit commit = new Commit();
      for (Portion next = waiting.poll(); next != null; next = waiting.poll()) {
        next.commit = commit;
        commit.portions.add(next);
      }
      commit.make();
    }
    mine.commit.end.join();
    if (mine.commit.failure != null) {
      throw GroupCommit.retold(mine.commit.failure);
    }
  }

  private final class Commit {
    private final List<Portion> portions = new ArrayList<>();
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private Throwable failure;

    /** Gives up the turn when others may plan on what is planned here. */
    void make() {
      Set<SwitchShard> shards = new LinkedHashSet<>();
      portions.forEach(portion -> shards.addAll(portion.left.keySet()));
      try (MultiShardTransaction parts = new MultiShardTransaction(shards)) {
        List<Runnable> outcomes = planned(parts);
        parts.commit(store, turn::unlock);
        outcomes.forEach(Runnable::run);
      } catch (RuntimeException | Error e) {
        failure = e;
      } finally {
        if (turn.isHeldByCurrentThread()) {
          turn.unlock();
        }
        end.complete(null);
      }
    }

    /** Plans each portion on those before it; tells the outcomes when they are final. */
    private List<Runnable> planned(MultiShardTransaction parts) {
      List<Runnable> tell = new ArrayList<>();
      int changes = 0;
      long writes = 0;
      for (Portion portion : portions) {
        for (Map.Entry<SwitchShard, Iterator<Change>> each : portion.left.entrySet()) {
          SwitchShard shard = each.getKey();
          ShardChanges.Part part = parts.of(shard);
          List<Outcome> outcomes = part.outcomes();
          int from = outcomes.size();
          long writesBefore = part.writes();
          int otherChanges = changes - from;
          long otherWrites = writes - writesBefore;
          CurrentTrace.during(
              portion.trace, () -> part.planSome(each.getValue(), otherChanges, otherWrites));
          int to = outcomes.size();
          changes += to - from;
          writes += part.writes() - writesBefore;
          tell.add(() -> portion.outcomes.get(shard).addAll(outcomes.subList(from, to)));
        }
      }
      return tell;
    }
  }
}
