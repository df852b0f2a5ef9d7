package net.sluice.core.network;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import net.sluice.core.Outcome;
import net.sluice.core.SetOutcome;
import net.sluice.core.change.SetSteps;
import net.sluice.core.change.ShardChanges;
import net.sluice.core.shard.SwitchShard;
import net.sluice.core.state.Names;
import net.sluice.core.state.SupposedNames;
import net.sluice.core.state.UniquenessLocks;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.traffic.Sharing;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;

/**
 * Makes changes that come into force together, at several switches too, or not at all: with one
 * commit, whatever their order. Each is admitted against the state that all of them lead to, see
 * {@link SetPlanner}.
 */
final class ChangeSets {
  private static final String OTHERS = "others of the set are refused";

  /** Tries of a dry run while others may change what is declared. */
  private static final int TRIES_BESIDE_CHANGES = 2;

  private final Network network;
  private final Routes routes;
  private final Names names;
  private final UniquenessLocks claims;
  private final NetworkStore store;
  private final Clock clock;

  ChangeSets(
      Network network,
      Routes routes,
      Names names,
      UniquenessLocks claims,
      NetworkStore store,
      Clock clock) {
    this.network = network;
    this.routes = routes;
    this.names = names;
    this.claims = claims;
    this.store = store;
    this.clock = clock;
  }

  /** The changes of a set that can be made so far, and what stands against the others. */
  record Routed(List<Change> changes, Routes.Route[] routes, Map<Integer, List<Problem>> refused) {
    /** The switches that plan something. */
    Set<SwitchShard> shards(Network network) {
      Set<SwitchShard> shards = new LinkedHashSet<>();
      for (Routes.Route route : routes) {
        if (route != null) {
          shards.addAll(route.shards(network));
        }
      }
      return shards;
    }
  }

  /** Makes the changes. */
  SetOutcome make(List<Change> changes) {
    if (changes.isEmpty()) {
      return new SetOutcome(true, List.of());
    }
    Room room = Room.forChange();
    return room.await(
        () ->
            network.isOne()
                ? network.held(() -> attempt(changes, room, () -> {}))
                : network.aloneAtFirst(
                    others -> {
                      try (UniquenessLocks.Held held = claims.hold()) {
                        held.addTogether(changes);
                        return attempt(changes, room, others);
                      }
                    }));
  }

  /**
   * Makes the changes where there is room at all of their switches; otherwise empty. One switch
   * plans one change after the other; of several each could change the names of another, so that no
   * other change is planned until these are. What these claim stays theirs until it is durable.
   *
   * @param planned called when others may be planned
   */
  private Optional<SetOutcome> attempt(List<Change> changes, Room room, Runnable planned) {
    Set<SwitchShard> shards = routed(changes).shards(network);
    if (!room.isAt(shards)) {
      return Optional.empty();
    }
    if (shards.isEmpty()) {
      return Optional.of(refused(changes, routed(changes).refused));
    }
    try (MultiShardTransaction parts = new MultiShardTransaction(shards)) {
      // The only switch stands still from here on.
      Routed routed = routed(changes);
      SetPlanner.PlanResult result =
          plan(
              changes,
              (endsAtOnce, yields) ->
                  parts.planning(
                      ShardChanges.Part::beginSet,
                      () ->
                          planner(shard -> parts.of(shard).steps(), routed, endsAtOnce, yields)
                              .plan(),
                      SetPlanner.PlanResult::isAccepted));
      if (!result.isAccepted()) {
        return Optional.of(refused(changes, result.refused()));
      }
      parts.commit(store, planned);
      return Optional.of(new SetOutcome(true, result.accepted()));
    }
  }

  // ---------------------------------------------------------------- dry runs

  /** The declarations have changed since a dry run began. */
  private static final class Overtaken extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /**
   * The outcome that {@link #make} would have now. The changes are supposed beside what is in
   * force, so that others wait for one of their steps at most. If something else is changed
   * meanwhile, it begins anew; if that happens again and again, other changes wait for it, and only
   * they.
   */
  SetOutcome dryRun(List<Change> changes) {
    return changes.isEmpty() ? new SetOutcome(true, List.of()) : suppose(changes, sharing -> {});
  }

  /** The same, of which {@code look} is given what all switches would share, if it is accepted. */
  SetOutcome suppose(List<Change> changes, Consumer<List<Sharing>> look) {
    for (int tried = 0; tried < TRIES_BESIDE_CHANGES; tried++) {
      Optional<SetOutcome> outcome = network.held(() -> supposed(changes, look));
      if (outcome.isPresent()) {
        return outcome.get();
      }
    }
    return network.isOne()
        ? network.held(() -> supposedAlone(changes, look))
        : network.aloneAtFirst(others -> supposedAlone(changes, look));
  }

  private SetOutcome supposedAlone(List<Change> changes, Consumer<List<Sharing>> look) {
    try (MultiShardTransaction all = new MultiShardTransaction(network.all())) {
      return supposed(changes, look).orElseThrow();
    }
  }

  /** The outcome; empty if something else has been changed meanwhile. */
  private Optional<SetOutcome> supposed(List<Change> changes, Consumer<List<Sharing>> look) {
    OptionalLong since = names.changes();
    if (since.isEmpty()) {
      return Optional.empty();
    }
    Runnable stillHolds =
        () -> {
          if (!names.changes().equals(since)) {
            throw new Overtaken();
          }
        };
    try {
      Routed routed = routed(changes);
      routed.shards(network).forEach(shard -> shard.changes().requireWritable());
      Map<SwitchShard, SetSteps> steps = new HashMap<>();
      SetPlanner.PlanResult result =
          plan(
              changes,
              (endsAtOnce, yields) -> {
                SupposedNames supposed = new SupposedNames();
                steps.clear();
                return planner(
                        at ->
                            steps.computeIfAbsent(
                                at, shard -> shard.changes().supposing(supposed, stillHolds)),
                        routed,
                        endsAtOnce,
                        yields)
                    .plan();
              });
      if (result.isAccepted()) {
        look.accept(
            network.all().stream()
                .map(
                    shard ->
                        steps.containsKey(shard)
                            ? shard.sharing(steps.get(shard))
                            : shard.sharing())
                .toList());
      }
      stillHolds.run();
      return Optional.of(
          result.isAccepted()
              ? new SetOutcome(true, result.accepted())
              : refused(changes, result.refused()));
    } catch (Overtaken overtaken) {
      return Optional.empty();
    } catch (RuntimeException e) {
      // What it looked at may have been half of one state and half of another.
      if (names.changes().equals(since)) {
        throw e;
      }
      return Optional.empty();
    }
  }

  // ---------------------------------------------------------------- both

  /** Plans in one of the ways that a planner has. */
  private interface Planning {
    SetPlanner.PlanResult plan(boolean endsAtOnce, boolean yields);
  }

  private SetPlanner planner(
      Function<SwitchShard, SetSteps> steps, Routed routed, boolean endsAtOnce, boolean yields) {
    return new SetPlanner(network, steps, routed, endsAtOnce, yields, clock.instant());
  }

  private static SetPlanner.PlanResult plan(List<Change> changes, Planning planning) {
    SetPlanner.PlanResult result = plan(planning, false);
    if (!result.isAccepted() && changes.stream().anyMatch(ChangeSets::isTimed)) {
      SetPlanner.PlanResult yielding = plan(planning, true);
      result = yielding.isAccepted() ? yielding : result;
    }
    return result;
  }

  private static SetPlanner.PlanResult plan(Planning planning, boolean yields) {
    SetPlanner.PlanResult result = planning.plan(false, yields);
    return !result.isAccepted() && result.leaves() ? planning.plan(true, yields) : result;
  }

  private static boolean isTimed(Change change) {
    return change instanceof Change.Put put && put.askedAt().isPresent();
  }

  private static SetOutcome refused(List<Change> changes, Map<Integer, List<Problem>> refused) {
    List<Outcome> outcomes = new ArrayList<>(changes.size());
    for (int i = 0; i < changes.size(); i++) {
      Change change = changes.get(i);
      outcomes.add(
          refused.containsKey(i)
              ? new Outcome.Refused(change, refused.get(i))
              : new Outcome.Unmade(change, OTHERS));
    }
    return new SetOutcome(false, outcomes);
  }

  /** Where each change is made; subscribers first, since their limits follow them. */
  private Routed routed(List<Change> changes) {
    Routes.Route[] found = new Routes.Route[changes.size()];
    Map<Integer, List<Problem>> refused = new TreeMap<>(namedTwice(changes));
    Map<String, SwitchShard> coming = new HashMap<>();
    for (boolean limits : List.of(false, true)) {
      for (int i = 0; i < changes.size(); i++) {
        Change change = changes.get(i);
        if ((change.kind() == Kind.RATE_LIMIT) != limits || refused.containsKey(i)) {
          continue;
        }
        try {
          ShardChanges.requireNotMade(change);
          found[i] = routes.of(change, coming);
          if (change instanceof Change.Put put && put.kind() == Kind.SUBSCRIBER) {
            coming.put(put.id(), destination(found[i]));
          }
          requirePolicyAsExpected(change);
        } catch (Refusal refusal) {
          refused.put(i, refusal.problems());
        }
      }
    }
    return new Routed(changes, found, refused);
  }

  private static SwitchShard destination(Routes.Route route) {
    return route instanceof Routes.Route.Move move ? move.to() : ((Routes.Route.At) route).shard();
  }

  /** The route of a policy is asked of no state. */
  private void requirePolicyAsExpected(Change change) throws Refusal {
    if (change.kind().isOfNetwork()) {
      Optional<? extends Declaration> inForce =
          network.first().declaration(change.kind(), change.id());
      if (!change.precondition().holds(inForce)) {
        throw new Refusal(List.of(Problem.overtaken(change.kind(), change.id())));
      }
    }
  }

  /** One put of a declaration may come with one deletion of it: it is put anew. */
  private static Map<Integer, List<Problem>> namedTwice(Collection<Change> changes) {
    Map<List<Object>, Integer> first = new HashMap<>();
    Map<Integer, List<Problem>> problems = new HashMap<>();
    int i = 0;
    for (Change change : changes) {
      boolean isPut = change instanceof Change.Put;
      Integer before = first.putIfAbsent(List.of(change.kind(), change.id(), isPut), i);
      if (before != null) {
        problems.put(
            i,
            List.of(
                new Problem(
                    Problem.Code.INVALID,
                    "id",
                    change.id(),
                    "one put, one deletion, or one of each, of a declaration",
                    "Change "
                        + (before + 1)
                        + (isPut ? " puts " : " deletes ")
                        + change.kind().words()
                        + " "
                        + change.id()
                        + " already.")));
      }
      i++;
    }
    return problems;
  }
}
