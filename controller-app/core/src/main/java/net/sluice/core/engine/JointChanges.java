package net.sluice.core.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import net.sluice.core.Outcome;
import net.sluice.core.TargetStatus;
import net.sluice.core.session.WriteBarrier;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.store.StoreBatch;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.validate.Problem;

/**
 * Changes of several switches that come to be together: each switch plans its part while no others
 * are planned there, and one commit makes all of them durable, or none. Switches are taken in the
 * order of their names, so that two such changes never wait for each other.
 */
final class JointChanges {
  private final NetworkStore store;

  JointChanges(NetworkStore store) {
    this.store = store;
  }

  /** Parts in the order of their switches' names. */
  private static final class Parts implements AutoCloseable {
    private final Map<String, ShardChanges.Part> byName = new TreeMap<>();
    private final Deque<ShardChanges.Part> begun = new ArrayDeque<>();

    /** There is room at the targets of each. */
    Parts(Collection<SwitchShard> shards) {
      Map<String, SwitchShard> ordered = new TreeMap<>();
      shards.forEach(shard -> ordered.put(shard.name(), shard));
      try {
        ordered.forEach(
            (name, shard) -> {
              ShardChanges.Part part = shard.changes().begin();
              begun.push(part);
              byName.put(name, part);
            });
      } catch (RuntimeException | Error e) {
        close();
        throw e;
      }
    }

    ShardChanges.Part of(SwitchShard shard) {
      return byName.get(shard.name());
    }

    void commit(NetworkStore store) {
      Map<String, StoreBatch> batches = new LinkedHashMap<>();
      try {
        byName.forEach((name, part) -> batches.put(name, part.seal()));
        byName.values().forEach(ShardChanges.Part::endPlanning);
        batches.values().removeIf(StoreBatch::isEmpty);
        if (!batches.isEmpty()) {
          store.commit(batches);
        }
        byName.values().forEach(ShardChanges.Part::committed);
      } catch (RuntimeException | Error e) {
        RuntimeException first = null;
        for (ShardChanges.Part part : byName.values()) {
          if (part.isSealed()) {
            RuntimeException failure = part.failed(e);
            first = first == null ? failure : first;
          }
        }
        if (first == null) {
          throw e;
        }
        throw first;
      }
    }

    @Override
    public void close() {
      begun.forEach(ShardChanges.Part::close);
    }
  }

  /**
   * Makes changes of a bulk, those of each switch in their order. What there is room for goes
   * first, at all switches with one commit: one that answers nothing keeps only its own waiting.
   *
   * @return the outcomes at each switch, in the order of its changes
   */
  Map<SwitchShard, List<Outcome>> each(Map<SwitchShard, List<Change>> changes) {
    Map<SwitchShard, Iterator<Change>> left = new LinkedHashMap<>();
    Map<SwitchShard, List<Outcome>> outcomes = new HashMap<>();
    changes.forEach(
        (shard, ofShard) -> {
          left.put(shard, ofShard.iterator());
          outcomes.put(shard, new ArrayList<>(ofShard.size()));
        });
    while (!left.isEmpty()) {
      List<SwitchShard> ready =
          left.keySet().stream().filter(shard -> shard.changes().hasSpaceForBulk()).toList();
      if (ready.isEmpty()) {
        left.keySet().iterator().next().changes().awaitSpaceForBulk();
      } else {
        makeSome(ready, left, outcomes);
        left.values().removeIf(each -> !each.hasNext());
      }
    }
    return outcomes;
  }

  /** Makes as many changes as one commit may have. */
  private void makeSome(
      List<SwitchShard> shards,
      Map<SwitchShard, Iterator<Change>> left,
      Map<SwitchShard, List<Outcome>> outcomes) {
    try (Parts parts = new Parts(shards)) {
      int changes = 0;
      long writes = 0;
      for (SwitchShard shard : shards) {
        ShardChanges.Part part = parts.of(shard);
        part.planSome(left.get(shard), changes, writes);
        changes += part.outcomes().size();
        writes += part.writes();
      }
      parts.commit(store);
      shards.forEach(shard -> outcomes.get(shard).addAll(parts.of(shard).outcomes()));
    }
  }

  /** Makes the same change at all switches, or, if one refuses it, at none. */
  Outcome everywhere(Collection<SwitchShard> shards, Change change) {
    shards.forEach(shard -> shard.changes().awaitSpace());
    try (Parts parts = new Parts(shards)) {
      List<Outcome> outlook = new ArrayList<>();
      for (SwitchShard shard : shards) {
        outlook.add(parts.of(shard).dryRun(change));
      }
      Outcome merged = merged(shards, change, outlook);
      if (!merged.isAccepted()) {
        return merged;
      }
      shards.forEach(shard -> requireAccepted(parts.of(shard).plan(change)));
      parts.commit(store);
      List<Outcome> outcomes = new ArrayList<>();
      shards.forEach(shard -> outcomes.add(parts.of(shard).outcomes().get(0)));
      return merged(shards, change, outcomes);
    }
  }

  /** What {@link #everywhere} would answer now. */
  Outcome dryRun(Collection<SwitchShard> shards, Change change) {
    return merged(
        shards, change, shards.stream().map(shard -> shard.changes().dryRun(change)).toList());
  }

  /** While planning is held, what was accepted a moment ago still is. */
  private static void requireAccepted(Outcome outcome) {
    if (!outcome.isAccepted()) {
      throw new IllegalStateException("refused after all: " + outcome);
    }
  }

  private static Outcome merged(
      Collection<SwitchShard> shards, Change change, List<Outcome> outcomes) {
    List<Problem> problems = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    List<TargetStatus> targets = new ArrayList<>();
    Plan plan = null;
    int i = 0;
    for (SwitchShard shard : shards) {
      Outcome outcome = outcomes.get(i++);
      if (outcome instanceof Outcome.Accepted accepted) {
        plan = plan == null ? accepted.plan() : plan;
        accepted.plan().notes().forEach(note -> notes.add("switch " + shard.name() + ": " + note));
        targets.addAll(accepted.targets());
      } else if (outcome instanceof Outcome.Refused refused) {
        refused.problems().forEach(problem -> add(problems, shard, problem));
      }
    }
    return problems.isEmpty()
        ? new Outcome.Accepted(change, plan.withNotes(notes), targets)
        : new Outcome.Refused(change, problems);
  }

  /** What every switch says alike is said once. */
  private static void add(List<Problem> problems, SwitchShard shard, Problem problem) {
    boolean known = problems.stream().anyMatch(other -> other.equals(problem));
    boolean ofSwitch = problem.code() == Problem.Code.CAPACITY;
    if (!known) {
      problems.add(
          ofSwitch
              ? new Problem(
                  problem.code(),
                  problem.field(),
                  problem.value(),
                  problem.allowed(),
                  "Switch " + shard.name() + ": " + problem.detail())
              : problem);
    }
  }

  /**
   * Moves a declaration to another switch; a subscriber with its own rate limit. What the old
   * switch has of it goes when the new one has it.
   */
  Outcome move(SwitchShard from, SwitchShard to, Change.Put put, Moves moves) {
    from.changes().awaitSpace();
    to.changes().awaitSpace();
    try (Parts parts = new Parts(List.of(from, to))) {
      Optional<RateLimit> limit =
          put.kind() == Kind.SUBSCRIBER
              ? from.rateLimitOf(new Scope.OfSubscriber(put.id()))
                  .map(declared -> (RateLimit) declared.declared())
              : Optional.empty();
      Outcome outcome = parts.of(to).plan(put);
      if (!outcome.isAccepted()) {
        return outcome;
      }
      if (limit.isPresent()) {
        Outcome limited = parts.of(to).plan(new Change.Put(limit.get()));
        if (limited instanceof Outcome.Refused refused) {
          return new Outcome.Refused(put, refused.problems());
        }
        requireAccepted(parts.of(from).plan(new Change.Delete(Kind.RATE_LIMIT, limit.get().id())));
      }
      Change.Delete delete = new Change.Delete(put.kind(), put.id());
      int index = 0;
      if (put.kind() == Kind.SUBSCRIBER) {
        index = parts.of(from).depart(delete);
      } else {
        requireAccepted(parts.of(from).plan(delete));
      }
      WriteBarrier barrier = moves.begin(put.kind(), put.id(), index, from, to);
      parts.of(from).behind(barrier);
      parts.commit(store);
      return noted((Outcome.Accepted) parts.of(to).outcomes().get(0), from, to);
    }
  }

  private static Outcome noted(Outcome.Accepted accepted, SwitchShard from, SwitchShard to) {
    List<String> notes = new ArrayList<>(accepted.plan().notes());
    notes.add(
        "moves from switch "
            + from.name()
            + ", which goes on until "
            + to.name()
            + " has it"
            + (accepted.change().kind() == Kind.SUBSCRIBER ? "; counters start anew" : ""));
    return new Outcome.Accepted(
        accepted.change(), accepted.plan().withNotes(notes), accepted.targets());
  }
}
