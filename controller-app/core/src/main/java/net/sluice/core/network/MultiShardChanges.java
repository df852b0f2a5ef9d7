package net.sluice.core.network;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;
import net.sluice.core.Outcome;
import net.sluice.core.Outcome.SwitchPlan;
import net.sluice.core.TargetStatus;
import net.sluice.core.change.ShardChanges;
import net.sluice.core.change.TariffMisfits;
import net.sluice.core.shard.SwitchShard;
import net.sluice.core.store.NetworkStore;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Tariff;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.state.Leaving;
import net.sluice.intents.validate.Problem;

/**
 * Changes that come to be at several switches together or at none.
 *
 * <p>Each is planned with the planning and the memory of all its switches held, so that nobody sees
 * a part of it. What one of them refuses is taken back at all of them before anything is stored.
 */
public final class MultiShardChanges {
  private final NetworkStore store;
  private final Clock clock;

  public MultiShardChanges(NetworkStore store, Clock clock) {
    this.store = store;
    this.clock = clock;
  }

  /** The plans of some shards. */
  private static final class Attempt {
    private final MultiShardTransaction parts;
    private final List<SwitchPlan> plans = new ArrayList<>();

    Attempt(MultiShardTransaction parts) {
      this.parts = parts;
    }

    Outcome plan(SwitchShard shard, Change change) {
      Outcome outcome = parts.of(shard).plan(change);
      if (outcome instanceof Outcome.Accepted accepted) {
        plans.add(new SwitchPlan(shard.name(), accepted.plan()));
      }
      return outcome;
    }
  }

  /**
   * Makes a change, or tells what would become of it.
   *
   * @param shards those that plan something
   * @param plan plans at the shards; if it is refused nothing comes to be
   */
  private Outcome attempt(
      Collection<SwitchShard> shards, boolean dryRun, Function<Attempt, Outcome> plan) {
    try (MultiShardTransaction parts = new MultiShardTransaction(shards)) {
      Attempt attempt = new Attempt(parts);
      Outcome outcome =
          parts.planning(
              ShardChanges.Part::mayBeTakenBack,
              () -> plan.apply(attempt),
              planned -> !dryRun && planned.isAccepted());
      if (dryRun || !outcome.isAccepted()) {
        return outcome instanceof Outcome.Accepted accepted
            ? accepted.withPlans(attempt.plans)
            : outcome;
      }
      parts.commit(store, () -> {});
      return parts.withStatus((Outcome.Accepted) outcome);
    }
  }

  /** While planning is held, what is known to be acceptable is accepted. */
  private static Outcome.Accepted requireAccepted(Outcome outcome) {
    if (outcome instanceof Outcome.Accepted accepted) {
      return accepted;
    }
    throw new IllegalStateException("refused after all: " + outcome);
  }

  // ---------------------------------------------------------------- policies

  /** Makes the same change at all switches, or, if one refuses it, at none. */
  Outcome everywhere(Collection<SwitchShard> shards, Change change) {
    if (change.kind() == Kind.TARIFF) {
      // It may be many changes, which are planned once.
      return attempt(
          shards,
          false,
          attempt -> {
            List<Outcome> outcomes =
                shards.stream().map(shard -> attempt.plan(shard, change)).toList();
            shards.stream().skip(1).forEach(shard -> attempt.parts.of(shard).tellNobody());
            return merged(shards, change, outcomes);
          });
    }
    try (MultiShardTransaction parts = new MultiShardTransaction(shards)) {
      List<Outcome> outlook = new ArrayList<>();
      for (SwitchShard shard : shards) {
        outlook.add(parts.of(shard).dryRun(change));
      }
      Outcome merged = merged(shards, change, outlook);
      if (!merged.isAccepted()) {
        return merged;
      }
      shards.forEach(shard -> requireAccepted(parts.of(shard).plan(change)));
      // One of them tells of it for all.
      shards.stream().skip(1).forEach(shard -> parts.of(shard).tellNobody());
      parts.commit(store, () -> {});
      List<Outcome> outcomes = new ArrayList<>();
      shards.forEach(shard -> outcomes.add(parts.of(shard).outcomes().get(0)));
      return merged(shards, change, outcomes);
    }
  }

  /** The answer that {@link #everywhere} would give now. */
  Outcome dryRun(Collection<SwitchShard> shards, Change change) {
    return merged(
        shards, change, shards.stream().map(shard -> shard.changes().dryRun(change)).toList());
  }

  private static Outcome merged(
      Collection<SwitchShard> shards, Change change, List<Outcome> outcomes) {
    List<Problem> problems = new ArrayList<>();
    NetworkNotes notes = new NetworkNotes();
    List<TargetStatus> targets = new ArrayList<>();
    List<SwitchPlan> plans = new ArrayList<>();
    Plan plan = null;
    int i = 0;
    for (SwitchShard shard : shards) {
      Outcome outcome = outcomes.get(i++);
      if (outcome instanceof Outcome.Accepted accepted) {
        plan = plan == null ? accepted.plan() : plan;
        plans.add(new SwitchPlan(shard.name(), accepted.plan()));
        notes.add(shard.name(), accepted.plan().notes());
        targets.addAll(accepted.targets());
      } else if (outcome instanceof Outcome.Refused refused) {
        refused.problems().forEach(problem -> add(problems, shard, problem));
      }
    }
    return problems.isEmpty()
        ? new Outcome.Accepted(change, plan.withNotes(notes.merged()), targets, plans, false)
        : new Outcome.Refused(change, problems);
  }

  /** Adds a problem of a switch, once if every switch has it alike. */
  private static void add(List<Problem> problems, SwitchShard shard, Problem problem) {
    boolean known = problems.stream().anyMatch(other -> other.equals(problem));
    // A tariff has other subscribers at each.
    boolean ofSwitch =
        problem.code() == Problem.Code.CAPACITY || problem.allowed().equals(TariffMisfits.ALLOWED);
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

  // ---------------------------------------------------------------- moves

  /**
   * Moves a subscriber with its own rate limit to another switch. Where it is in force it leaves
   * from then on, see {@link Leaving}; those that it leaves already wait for the new switch.
   */
  Outcome move(Routes.Route.Move route, Change.Put put, boolean dryRun) {
    String id = put.id();
    SwitchShard to = route.to();
    Set<SwitchShard> shards = new LinkedHashSet<>(route.leavers());
    route.from().ifPresent(shards::add);
    shards.add(to);
    return attempt(
        shards,
        dryRun,
        attempt -> {
          Leaving now = new Leaving(to.name(), clock.millis());
          for (SwitchShard leaver : route.leavers()) {
            // One that has forgotten it since the route was looked up has nothing to wait for.
            Optional<Leaving> before = leaver.leaving(id);
            if (leaver != to && before.isPresent()) {
              attempt.parts.of(leaver).leave(id, before.get().to(to.name()));
            }
          }
          // One that a tariff makes is made there, too.
          Optional<RateLimit> limit =
              route
                  .from()
                  .flatMap(from -> from.ownLimit(id))
                  .filter(own -> Tariff.subscriberOf(own.id()).isEmpty());
          route.from().ifPresent(from -> attempt.parts.of(from).leave(id, now));
          Outcome outcome = arrive(attempt, to, put, limit);
          if (outcome.isAccepted() && dryRun) {
            route.from().ifPresent(from -> forget(attempt, from, id));
          }
          return outcome instanceof Outcome.Accepted accepted
              ? noted(accepted, route.from(), to)
              : outcome;
        });
  }

  private static Outcome arrive(
      Attempt attempt, SwitchShard to, Change.Put put, Optional<RateLimit> limit) {
    Optional<Problem> taken = limit.flatMap(own -> Routes.takenByLeaver(own, to));
    if (taken.isPresent()) {
      return new Outcome.Refused(put, List.of(taken.get()));
    }
    // A limit that it left behind here is out of date.
    Optional<RateLimit> left =
        to.ownLimit(put.id()).filter(own -> Tariff.subscriberOf(own.id()).isEmpty());
    if (left.isPresent() && !left.map(RateLimit::id).equals(limit.map(RateLimit::id))) {
      requireAccepted(attempt.plan(to, new Change.Delete(Kind.RATE_LIMIT, left.get().id())));
    }
    Outcome outcome = attempt.plan(to, put);
    if (outcome instanceof Outcome.Accepted accepted && limit.isPresent()) {
      Declaration comes = ((Change.Put) accepted.change()).declaration();
      List<String> unlimited = to.notes(comes);
      Outcome limited = attempt.plan(to, new Change.Put(limit.get()));
      if (limited instanceof Outcome.Refused refused) {
        return new Outcome.Refused(put, refused.problems());
      }
      // It was planned before its limit, of which its answer tells.
      Set<String> notes = new LinkedHashSet<>(accepted.plan().notes());
      unlimited.forEach(notes::remove);
      notes.addAll(to.notes(comes));
      return accepted.withNotes(List.copyOf(notes));
    }
    return outcome;
  }

  /** Plans that a switch forgets a subscriber that leaves, with its own limit. */
  private static Outcome forget(Attempt attempt, SwitchShard shard, String id) {
    shard
        .ownLimit(id)
        .filter(limit -> Tariff.subscriberOf(limit.id()).isEmpty())
        .ifPresent(
            limit ->
                requireAccepted(
                    attempt.plan(shard, new Change.Delete(Kind.RATE_LIMIT, limit.id()))));
    return requireAccepted(attempt.plan(shard, new Change.Delete(Kind.SUBSCRIBER, id)));
  }

  /** The note about a move. */
  static String movesFrom(String from, String to) {
    return "moves from switch "
        + from
        + ", which goes on until "
        + to
        + " has it; counters start anew";
  }

  private static Outcome noted(
      Outcome.Accepted accepted, Optional<SwitchShard> from, SwitchShard to) {
    if (from.isEmpty()) {
      return accepted;
    }
    List<String> notes = new ArrayList<>(accepted.plan().notes());
    notes.add(movesFrom(from.get().name(), to.name()));
    return accepted.withNotes(notes).moved();
  }

  /** Deletes a subscriber where it is in force, if anywhere, and where it leaves. */
  Outcome delete(Routes.Route.DeleteEverywhere route, Change.Delete delete, boolean dryRun) {
    Set<SwitchShard> shards = new LinkedHashSet<>(route.leavers());
    route.at().ifPresent(shards::add);
    return attempt(
        shards,
        dryRun,
        attempt -> {
          Optional<Outcome> outcome = route.at().map(at -> attempt.plan(at, delete));
          if (outcome.isPresent() && !outcome.get().isAccepted()) {
            return outcome.get();
          }
          for (SwitchShard leaver : route.leavers()) {
            if (leaver.leaving(delete.id()).isEmpty()) {
              continue;
            }
            if (outcome.isPresent()) {
              attempt.parts.of(leaver).tellNobody();
            }
            Outcome forgotten = forget(attempt, leaver, delete.id());
            outcome = Optional.of(outcome.orElse(forgotten));
          }
          // Gone since the route was looked up: then it is not found.
          return outcome.orElseGet(() -> attempt.plan(route.leavers().get(0), delete));
        });
  }

  /** Moves a rate limit of its own to another switch: what it limits there is something else. */
  Outcome move(Routes.Route.MoveLimit route, Change.Put put, boolean dryRun) {
    return attempt(
        List.of(route.from(), route.to()),
        dryRun,
        attempt -> {
          Outcome outlook = attempt.parts.of(route.to()).dryRun(put);
          if (!outlook.isAccepted()) {
            return outlook;
          }
          Change.Delete delete = new Change.Delete(Kind.RATE_LIMIT, put.id());
          if (dryRun) {
            Outcome.Accepted gone = requireAccepted(attempt.parts.of(route.from()).dryRun(delete));
            attempt.plans.add(new SwitchPlan(route.to().name(), requireAccepted(outlook).plan()));
            attempt.plans.add(new SwitchPlan(route.from().name(), gone.plan()));
            return outlook;
          }
          requireAccepted(attempt.plan(route.from(), delete));
          attempt.parts.of(route.from()).tellNobody();
          return requireAccepted(attempt.plan(route.to(), put)).moved();
        });
  }

  /**
   * Nobody needs a switch any more that these subscribers leave: it forgets them.
   *
   * @param over why they leave, by id; those that leave for another reason by now stay
   * @param isOver asked again, while nothing about them is changed
   */
  void endMoves(SwitchShard from, Map<String, Leaving> over, BiPredicate<String, Leaving> isOver) {
    try (MultiShardTransaction parts = new MultiShardTransaction(List.of(from))) {
      ShardChanges.Part part = parts.of(from);
      part.tellNobody();
      Attempt attempt = new Attempt(parts);
      over.forEach(
          (id, leaving) -> {
            if (isOver.test(id, leaving)) {
              parts.inMemory(
                  () ->
                      from.leaving(id).equals(Optional.of(leaving))
                          ? requireAccepted(forget(attempt, from, id))
                          : null);
            }
          });
      parts.commit(store, () -> {});
    }
  }
}
