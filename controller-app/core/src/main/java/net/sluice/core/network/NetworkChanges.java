package net.sluice.core.network;

import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import net.sluice.core.Outcome;
import net.sluice.core.SetOutcome;
import net.sluice.core.UnavailableException;
import net.sluice.core.change.ShardChanges;
import net.sluice.core.shard.SwitchShard;
import net.sluice.core.state.Names;
import net.sluice.core.state.UniquenessLocks;
import net.sluice.core.store.NetworkStore;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Precondition;
import net.sluice.intents.validate.Refusal;

/** Makes changes at the switches they are for. With one switch there is nothing to decide. */
public final class NetworkChanges {
  /** Changes of a bulk that are looked into before those at each switch are made together. */
  private static final int STRETCH = 10_000;

  private static final int CLAIMED_AT_ONCE = 500;

  private final Network network;
  private final Routes routes;
  private final UniquenessLocks claims;
  private final MultiShardChanges joint;
  private final BulkGroupCommit bulks;
  private final ChangeSets sets;

  public NetworkChanges(
      Network network, Names names, NetworkStore store, MultiShardChanges joint, Clock clock) {
    this.network = network;
    this.routes = new Routes(network, names);
    this.claims =
        new UniquenessLocks(
            id ->
                names
                    .switchOf(Kind.SUBSCRIBER, id)
                    .flatMap(network::named)
                    .map(shard -> shard.inForce(id))
                    .orElse(UniquenessLocks.InForce.NOTHING));
    this.joint = joint;
    this.bulks = new BulkGroupCommit(store);
    this.sets = new ChangeSets(network, routes, store, clock);
  }

  /** Whether the only switch decides about a change by itself. */
  private boolean isAlone(Change change) {
    return network.isOne()
        && network.first().leavers() == 0
        && (!(change instanceof Change.Put put)
            || put.switchName().isEmpty()
            || network.named(put.switchName().get()).isPresent());
  }

  private ShardChanges alone() {
    return network.first().changes();
  }

  /** As {@link net.sluice.core.Controller#apply}. */
  public Outcome apply(Change change) {
    return network.held(() -> applyHeld(change));
  }

  private Outcome applyHeld(Change change) {
    if (isAlone(change)) {
      return alone().apply(change);
    }
    try (UniquenessLocks.Held held = claims.hold()) {
      held.add(change);
      return make(change, routes.of(change), false);
    } catch (Refusal refusal) {
      return new Outcome.Refused(change, refusal.problems());
    }
  }

  private Outcome make(Change change, Routes.Route route, boolean dryRun) {
    if (route instanceof Routes.Route.At at) {
      return dryRun ? at.shard().dryRun(change) : at.shard().changes().apply(change);
    }
    // Of several switches each has a part of it alone; the route was found for what is in force.
    Change anyway = change.under(Precondition.NONE);
    if (route instanceof Routes.Route.Move move) {
      return joint.move(move, (Change.Put) anyway, dryRun);
    } else if (route instanceof Routes.Route.MoveLimit move) {
      return joint.move(move, (Change.Put) anyway, dryRun);
    } else if (route instanceof Routes.Route.DeleteEverywhere delete) {
      return joint.delete(delete, (Change.Delete) anyway, dryRun);
    }
    return dryRun ? joint.dryRun(network.all(), change) : joint.everywhere(network.all(), change);
  }

  /** As {@link net.sluice.core.Controller#dryRun}. */
  public Outcome dryRun(Change change) {
    return network.held(() -> dryRunHeld(change));
  }

  private Outcome dryRunHeld(Change change) {
    if (isAlone(change)) {
      return network.first().dryRun(change);
    }
    try (UniquenessLocks.Held held = claims.hold()) {
      held.add(change);
      return make(change, routes.of(change), true);
    } catch (Refusal refusal) {
      return new Outcome.Refused(change, refusal.problems());
    }
  }

  /** As {@link net.sluice.core.Controller#applyTogether}. */
  public SetOutcome applyTogether(List<Change> changes, boolean dryRun) {
    return sets.make(changes, dryRun);
  }

  /** As {@link net.sluice.core.Controller#applyAll}. */
  public void applyAll(List<Change> changes, Consumer<? super Outcome> out) {
    applyAll(changes, routes::of, out);
  }

  /**
   * The same for changes that are only made where they say: what is at another switch by then is
   * left alone, and the change is refused.
   *
   * @param changes puts of subscribers and rate limits, each with its switch
   */
  public void applyInPlace(List<Change> changes, Consumer<? super Outcome> out) {
    applyAll(changes, (change, coming) -> routes.inPlace((Change.Put) change), out);
  }

  /** Tells where a change is made, as {@link Routes#of(Change, Map)}. */
  @FunctionalInterface
  private interface Router {
    Routes.Route of(Change change, Map<String, SwitchShard> coming) throws Refusal;
  }

  private void applyAll(List<Change> changes, Router router, Consumer<? super Outcome> out) {
    int made = 0;
    Set<SwitchShard> full = new HashSet<>();
    while (made < changes.size()) {
      List<Change> rest = changes.subList(made, changes.size());
      List<Outcome> outcomes = network.held(() -> makeSome(rest, router, full));
      made += outcomes.size();
      // With the network no longer held: whoever listens may take his time.
      outcomes.forEach(out);
    }
  }

  /** Makes at least the first of the changes and tells what became of those that it made. */
  private List<Outcome> makeSome(List<Change> changes, Router router, Set<SwitchShard> full) {
    return isAlone(changes.get(0))
        ? alone().applySome(changes.stream().takeWhile(this::isAlone).iterator())
        : makeStretch(changes, router, full);
  }

  /** A change of a bulk that concerns several switches; each is waited for in vain but once. */
  private Outcome makeJoint(Change change, Routes.Route route, Set<SwitchShard> full) {
    Optional<SwitchShard> withoutRoom =
        route.shards(network).stream()
            .filter(shard -> full.contains(shard) && !shard.changes().hasSpaceForBulk())
            .findFirst();
    if (withoutRoom.isPresent()) {
      return new Outcome.Unmade(change, withoutRoom.get().changes().full().getMessage());
    }
    try {
      return make(change, route, false);
    } catch (UnavailableException e) {
      full.addAll(route.shards(network));
      return new Outcome.Unmade(change, e.getMessage());
    }
  }

  /** Makes the first changes, as many as do not depend on each other across switches. */
  private List<Outcome> makeStretch(List<Change> changes, Router router, Set<SwitchShard> full) {
    Map<SwitchShard, List<Change>> byShard = new LinkedHashMap<>();
    Map<String, SwitchShard> subscribers = new HashMap<>();
    // In order: the switch that makes the change, or the refusal before any was asked.
    List<Object> order = new ArrayList<>();
    Map<SwitchShard, Iterator<Outcome>> made = new HashMap<>();
    try (UniquenessLocks.Held held = claims.hold()) {
      held.add(changes.get(0));
      int looked = 0;
      int claimed = 1;
      while (looked < claimed) {
        Change change = changes.get(looked);
        try {
          Routes.Route route = router.of(change, subscribers);
          if (route instanceof Routes.Route.At at) {
            if (change.kind() == Kind.SUBSCRIBER) {
              subscribers.put(change.id(), at.shard());
            }
            byShard.computeIfAbsent(at.shard(), unused -> new ArrayList<>()).add(change);
            order.add(at.shard());
          } else if (order.isEmpty()) {
            return List.of(makeJoint(change, route, full));
          } else {
            break;
          }
        } catch (Refusal refusal) {
          order.add(new Outcome.Refused(change, refusal.problems()));
        }
        looked++;
        if (looked == claimed) {
          // Each time as many again: little is claimed that the stretch ends before.
          int next = Math.min(Math.min(2 * looked, looked + CLAIMED_AT_ONCE), STRETCH);
          claimed += held.tryAddFirst(changes.subList(looked, Math.min(next, changes.size())));
        }
      }
      bulks.make(byShard, full).forEach((shard, outcomes) -> made.put(shard, outcomes.iterator()));
    }
    return order.stream()
        .map(each -> each instanceof Outcome outcome ? outcome : made.get(each).next())
        .toList();
  }
}
