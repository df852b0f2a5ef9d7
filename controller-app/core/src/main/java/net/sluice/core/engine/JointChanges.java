package net.sluice.core.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import net.sluice.core.Outcome;
import net.sluice.core.TargetStatus;
import net.sluice.core.session.WriteBarrier;
import net.sluice.core.store.NetworkStore;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.validate.Problem;

/** Changes that come to be at several switches together or at none. */
final class JointChanges {
  private final NetworkStore store;

  JointChanges(NetworkStore store) {
    this.store = store;
  }

  /** Makes the same change at all switches, or, if one refuses it, at none. */
  Outcome everywhere(Collection<SwitchShard> shards, Change change) {
    shards.forEach(shard -> shard.changes().awaitSpace());
    try (JointParts parts = new JointParts(shards)) {
      List<Outcome> outlook = new ArrayList<>();
      for (SwitchShard shard : shards) {
        outlook.add(parts.of(shard).dryRun(change));
      }
      Outcome merged = merged(shards, change, outlook);
      if (!merged.isAccepted()) {
        return merged;
      }
      shards.forEach(shard -> requireAccepted(parts.of(shard).plan(change)));
      parts.commit(store, () -> {});
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
    try (JointParts parts = new JointParts(List.of(from, to))) {
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
      parts.commit(store, () -> {});
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
