package net.sluice.core.network;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import net.sluice.core.Outcome;
import net.sluice.core.SetOutcome;
import net.sluice.core.change.ShardChanges;
import net.sluice.core.shard.SwitchShard;
import net.sluice.core.state.UniquenessLocks;
import net.sluice.core.store.NetworkStore;
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

  private final Network network;
  private final Routes routes;
  private final UniquenessLocks claims;
  private final NetworkStore store;
  private final Clock clock;

  ChangeSets(
      Network network, Routes routes, UniquenessLocks claims, NetworkStore store, Clock clock) {
    this.network = network;
    this.routes = routes;
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

  /** Makes the changes, or tells what would become of them. */
  SetOutcome make(List<Change> changes, boolean dryRun) {
    if (changes.isEmpty()) {
      return new SetOutcome(true, List.of());
    }
    Room room = Room.forChange();
    return room.await(
        () ->
            network.isOne()
                ? network.held(() -> attempt(changes, dryRun, room, () -> {}))
                : network.aloneAtFirst(
                    others -> {
                      try (UniquenessLocks.Held held = claims.hold()) {
                        held.addTogether(changes);
                        return attempt(changes, dryRun, room, others);
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
  private Optional<SetOutcome> attempt(
      List<Change> changes, boolean dryRun, Room room, Runnable planned) {
    Set<SwitchShard> shards = routed(changes).shards(network);
    if (!dryRun && !room.isAt(shards)) {
      return Optional.empty();
    }
    if (shards.isEmpty()) {
      return Optional.of(refused(changes, routed(changes).refused));
    }
    try (MultiShardTransaction parts = new MultiShardTransaction(shards)) {
      // The only switch stands still from here on.
      Routed routed = routed(changes);
      SetPlanner.PlanResult result = plan(parts, routed, false, dryRun);
      boolean isTimed = changes.stream().anyMatch(ChangeSets::isTimed);
      if (!result.isAccepted() && isTimed) {
        SetPlanner.PlanResult yielding = plan(parts, routed, true, dryRun);
        result = yielding.isAccepted() ? yielding : result;
      }
      if (!result.isAccepted()) {
        return Optional.of(refused(changes, result.refused()));
      }
      if (!dryRun) {
        parts.commit(store, planned);
      }
      return Optional.of(new SetOutcome(true, result.accepted()));
    }
  }

  private static boolean isTimed(Change change) {
    return change instanceof Change.Put put && put.askedAt().isPresent();
  }

  private SetPlanner.PlanResult plan(
      MultiShardTransaction parts, Routed routed, boolean yields, boolean dryRun) {
    SetPlanner.PlanResult result = plan(parts, routed, false, yields, dryRun);
    return !result.isAccepted() && result.leaves()
        ? plan(parts, routed, true, yields, dryRun)
        : result;
  }

  private SetPlanner.PlanResult plan(
      MultiShardTransaction parts,
      Routed routed,
      boolean endsAtOnce,
      boolean yields,
      boolean dryRun) {
    return parts.planning(
        ShardChanges.Part::beginSet,
        () -> new SetPlanner(network, parts, routed, endsAtOnce, yields, clock.millis()).plan(),
        result -> !dryRun && result.isAccepted());
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
    if (change.kind() == Kind.POLICY) {
      Optional<? extends Declaration> inForce =
          network.first().declaration(Kind.POLICY, change.id());
      if (!change.precondition().holds(inForce)) {
        throw new Refusal(List.of(Problem.overtaken(Kind.POLICY, change.id())));
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
