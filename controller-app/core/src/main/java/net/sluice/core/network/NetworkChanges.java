package net.sluice.core.network;

import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import net.sluice.core.Outcome;
import net.sluice.core.SetOutcome;
import net.sluice.core.change.ShardChanges;
import net.sluice.core.shard.SwitchShard;
import net.sluice.core.state.Names;
import net.sluice.core.state.UniquenessLocks;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.traffic.Sharing;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.Precondition;
import net.sluice.intents.plan.StateDelta;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;

/** Makes changes at the switches they are for. With one switch there is nothing to decide. */
public final class NetworkChanges {
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
    this.sets = new ChangeSets(network, routes, names, claims, store, clock);
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
    Room room = Room.forChange();
    Outcome outcome = room.await(() -> network.held(() -> applyHeld(change, room)));
    if (!isInItsOwnWay(outcome)) {
      return outcome;
    }
    Outcome together = orRefused(sets.make(List.of(change)), outcome);
    return together instanceof Outcome.Accepted accepted
        ? accepted.withTargets(
            network.all().stream()
                .flatMap(shard -> shard.find(change.kind(), change.id()).stream())
                .flatMap(declared -> declared.targets().stream())
                .toList())
        : together;
  }

  /**
   * Whether subscribers under a tariff that changes may be in each other's way, because each is
   * planned beside others as they were. Planned together they are not.
   */
  private static boolean isInItsOwnWay(Outcome outcome) {
    return outcome instanceof Outcome.Refused refused
        && refused.change().kind() == Kind.TARIFF
        && refused.change() instanceof Change.Put
        && refused.problems().stream().allMatch(each -> each.code() == Problem.Code.CONFLICT);
  }

  /**
   * The outcome of the tariff that is all of a set, or, if that is refused too, what it was refused
   * for. It replaces one, and tells no more of its subscribers' writes than any tariff's.
   */
  private static Outcome orRefused(SetOutcome set, Outcome refused) {
    if (!(set.outcomes().get(0) instanceof Outcome.Accepted accepted)) {
      return refused;
    }
    StateDelta of = accepted.plan().delta();
    return new Outcome.Accepted(
        accepted.change(),
        new Plan(
            Map.of(),
            accepted.plan().beginsAtSwitch(),
            accepted.plan().grants(),
            accepted.plan().notes(),
            new StateDelta(of.change(), true, of.number(), 0, of.contract(), List.of())),
        accepted.targets(),
        accepted.plans().stream()
            .map(each -> new Outcome.SwitchPlan(each.switchName(), each.plan().withoutWrites()))
            .toList(),
        false);
  }

  /** Empty if a switch has no room. */
  private Optional<Outcome> applyHeld(Change change, Room room) {
    if (isAlone(change)) {
      return room.isAt(network.all()) ? Optional.of(alone().apply(change)) : Optional.empty();
    }
    try (UniquenessLocks.Held held = claims.hold()) {
      held.add(change);
      Routes.Route route = routes.of(change);
      return room.isAt(route.shards(network))
          ? Optional.of(make(change, route, false))
          : Optional.empty();
    } catch (Refusal refusal) {
      return Optional.of(new Outcome.Refused(change, refusal.problems()));
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
    Outcome outcome = network.held(() -> dryRunHeld(change));
    return isInItsOwnWay(outcome) ? orRefused(sets.dryRun(List.of(change)), outcome) : outcome;
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

  /** As {@link net.sluice.core.Controller#suppose}. */
  public SetOutcome suppose(List<Change> changes, Consumer<List<Sharing>> look) {
    return sets.suppose(changes, look);
  }

  /** As {@link net.sluice.core.Controller#applyTogether}. */
  public SetOutcome applyTogether(List<Change> changes, boolean dryRun) {
    return dryRun ? sets.dryRun(changes) : sets.make(changes);
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

  private void applyAll(
      List<Change> changes, BulkStretch.Router router, Consumer<? super Outcome> out) {
    int made = 0;
    Set<SwitchShard> full = new HashSet<>();
    while (made < changes.size()) {
      List<Outcome> outcomes = makeSome(changes.subList(made, changes.size()), router, full);
      made += outcomes.size();
      // With the network no longer held: whoever listens may take his time.
      outcomes.forEach(out);
    }
  }

  /** Makes at least the first of the changes; the outcomes of those that it made. */
  private List<Outcome> makeSome(
      List<Change> changes, BulkStretch.Router router, Set<SwitchShard> full) {
    Room room = Room.forBulk();
    List<Outcome> alone = room.await(() -> network.held(() -> makeAlone(changes, room)));
    if (!alone.isEmpty()) {
      return alone;
    }
    BulkStretch stretch =
        new BulkStretch(
            network,
            claims,
            bulks,
            (change, route) -> make(change, route, false),
            router,
            changes,
            full);
    boolean isOver = network.held(stretch::makeWhatHasRoom);
    while (!isOver) {
      isOver = stretch.awaitRoom() || network.held(stretch::makeWhatHasRoom);
    }
    return stretch.outcomes();
  }

  /** Makes changes that the only switch decides about; empty if it has no room. */
  private Optional<List<Outcome>> makeAlone(List<Change> changes, Room room) {
    if (!isAlone(changes.get(0))) {
      return Optional.of(List.of());
    }
    return room.isAt(network.all())
        ? Optional.of(alone().applySome(changes.stream().takeWhile(this::isAlone).iterator()))
        : Optional.empty();
  }
}
