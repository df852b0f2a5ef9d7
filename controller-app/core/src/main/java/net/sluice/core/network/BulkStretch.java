package net.sluice.core.network;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import net.sluice.core.ControllerException;
import net.sluice.core.Outcome;
import net.sluice.core.UnavailableException;
import net.sluice.core.shard.SwitchShard;
import net.sluice.core.state.UniquenessLocks;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Refusal;

/**
 * The first changes of a bulk for several switches, as many as do not depend on each other across
 * switches. What there is room for is made first, with the network and claims held; what is left is
 * routed again after room was waited for with nothing held. So a switch that answers nothing keeps
 * only its own changes waiting, and in the end unmade.
 */
final class BulkStretch {
  /** Changes of a bulk that are looked into before those at each switch are made together. */
  private static final int LONGEST = 10_000;

  private static final int CLAIMED_AT_ONCE = 500;

  /** Tells where a change is made, as {@link Routes#of(Change, Map)}. */
  @FunctionalInterface
  interface Router {
    Routes.Route of(Change change, Map<String, SwitchShard> coming) throws Refusal;
  }

  /** Makes a change at several switches. */
  @FunctionalInterface
  interface Joint {
    Outcome make(Change change, Routes.Route route);
  }

  private final Network network;
  private final UniquenessLocks claims;
  private final BulkGroupCommit bulks;
  private final Joint joint;
  private final Router router;
  private final List<Change> changes;

  /** The switches that were waited for in vain. */
  private final Set<SwitchShard> full;

  private final Room jointRoom = Room.forChange();

  /** One for each change of the stretch, in their order; null of those that are left. */
  private Outcome[] outcomes = {};

  /** Where changes that are left are made, by their number; those at several switches lack. */
  private final Map<Integer, SwitchShard> left = new TreeMap<>();

  /**
   * A stretch of which nothing is made yet.
   *
   * @param changes begin with the stretch
   * @param full switches that were waited for in vain; gets those for which that happens here
   */
  BulkStretch(
      Network network,
      UniquenessLocks claims,
      BulkGroupCommit bulks,
      Joint joint,
      Router router,
      List<Change> changes,
      Set<SwitchShard> full) {
    this.network = network;
    this.claims = claims;
    this.bulks = bulks;
    this.joint = joint;
    this.router = router;
    this.changes = changes;
    this.full = full;
  }

  /** Whether each change of the stretch has an outcome. */
  private boolean isOver() {
    return Arrays.stream(outcomes).noneMatch(Objects::isNull);
  }

  /** The outcomes in the order of the changes. */
  List<Outcome> outcomes() {
    return List.of(outcomes);
  }

  private List<Integer> numbersLeft() {
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < (outcomes.length == 0 ? changes.size() : outcomes.length); i++) {
      if (outcomes.length == 0 || outcomes[i] == null) {
        numbers.add(i);
      }
    }
    return numbers;
  }

  // ---------------------------------------------------------------- with the network held

  /**
   * Makes the changes that there is room for; the network is held.
   *
   * @return true if each change of the stretch has an outcome
   */
  boolean makeWhatHasRoom() {
    left.clear();
    List<Integer> numbers = numbersLeft();
    Map<SwitchShard, List<Integer>> byShard = new LinkedHashMap<>();
    Map<String, SwitchShard> subscribers = new HashMap<>();
    Map<Integer, Outcome> made = new HashMap<>();
    try (UniquenessLocks.Held held = claims.hold()) {
      held.add(changes.get(numbers.get(0)));
      int looked = 0;
      int claimed = 1;
      while (looked < claimed) {
        int number = numbers.get(looked);
        Change change = changes.get(number);
        try {
          Routes.Route route = router.of(change, subscribers);
          if (route instanceof Routes.Route.At at) {
            if (change.kind() == Kind.SUBSCRIBER) {
              subscribers.put(change.id(), at.shard());
            }
            byShard.computeIfAbsent(at.shard(), unused -> new ArrayList<>()).add(number);
          } else if (looked == 0) {
            makeJoint(change, route).ifPresent(outcome -> made.put(number, outcome));
            looked++;
            break;
          } else {
            break;
          }
        } catch (Refusal refusal) {
          made.put(number, new Outcome.Refused(change, refusal.problems()));
        }
        looked++;
        if (looked == claimed) {
          // Each time as many again: little is claimed that the stretch ends before.
          int next =
              Math.min(
                  Math.min(Math.min(2 * looked, looked + CLAIMED_AT_ONCE), LONGEST),
                  numbers.size());
          claimed +=
              held.tryAddFirst(numbers.subList(looked, next).stream().map(changes::get).toList());
        }
      }
      if (outcomes.length == 0) {
        outcomes = new Outcome[looked];
      }
      made.forEach((number, outcome) -> outcomes[number] = outcome);
      makeAt(byShard);
    }
    return isOver();
  }

  private void makeAt(Map<SwitchShard, List<Integer>> byShard) {
    Map<SwitchShard, Iterator<Change>> rest = new LinkedHashMap<>();
    Map<SwitchShard, List<Outcome>> made = new HashMap<>();
    byShard.forEach(
        (shard, numbers) -> {
          rest.put(shard, numbers.stream().map(changes::get).iterator());
          made.put(shard, new ArrayList<>(numbers.size()));
        });
    ControllerException failure = null;
    try {
      bulks.make(rest, made);
    } catch (ControllerException e) {
      failure = e;
    }
    byShard.forEach(
        (shard, numbers) -> {
          List<Outcome> ofShard = made.get(shard);
          for (int i = 0; i < numbers.size(); i++) {
            if (i < ofShard.size()) {
              outcomes[numbers.get(i)] = ofShard.get(i);
            } else {
              left.put(numbers.get(i), shard);
            }
          }
        });
    if (failure != null) {
      if (Arrays.stream(outcomes).noneMatch(each -> each != null && each.isAccepted())) {
        throw failure;
      }
      // What was made before is durable and has to be told.
      unmade(List.copyOf(left.keySet()), failure);
    }
  }

  /** Makes a change that concerns several switches; empty if one of them has no room yet. */
  private Optional<Outcome> makeJoint(Change change, Routes.Route route) {
    List<SwitchShard> shards = route.shards(network);
    Optional<SwitchShard> withoutRoom =
        shards.stream()
            .filter(shard -> full.contains(shard) && !shard.changes().hasSpaceForBulk())
            .findFirst();
    if (withoutRoom.isPresent()) {
      return Optional.of(
          new Outcome.Unmade(change, withoutRoom.get().changes().full().getMessage()));
    }
    if (!jointRoom.isAt(shards)) {
      return Optional.empty();
    }
    try {
      return Optional.of(joint.make(change, route));
    } catch (UnavailableException e) {
      return Optional.of(new Outcome.Unmade(change, e.getMessage()));
    }
  }

  // ---------------------------------------------------------------- with nothing held

  /**
   * Waits for room for something that is left; where there is none, that stays unmade.
   *
   * @return true if each change of the stretch has an outcome
   */
  boolean awaitRoom() {
    if (left.isEmpty()) {
      awaitJointRoom();
    } else if (left.values().stream().noneMatch(shard -> shard.changes().hasSpaceForBulk())) {
      awaitRoomForBulk();
    }
    return isOver();
  }

  private void awaitRoomForBulk() {
    SwitchShard next = left.values().iterator().next();
    noRoom(next)
        .ifPresent(
            reason ->
                unmade(
                    left.keySet().stream().filter(number -> left.get(number) == next).toList(),
                    reason));
  }

  /** Why there is no room; no switch is waited for twice. */
  private Optional<ControllerException> noRoom(SwitchShard shard) {
    if (full.contains(shard)) {
      return Optional.of(shard.changes().full());
    }
    try {
      shard.changes().awaitSpaceForBulk();
      return Optional.empty();
    } catch (ControllerException e) {
      full.add(shard);
      return Optional.of(e);
    }
  }

  private void awaitJointRoom() {
    int first = numbersLeft().get(0);
    try {
      jointRoom.await();
    } catch (ControllerException e) {
      full.addAll(jointRoom.lacking());
      unmade(List.of(first), e);
    }
  }

  private void unmade(List<Integer> numbers, ControllerException reason) {
    for (int number : numbers) {
      outcomes[number] = new Outcome.Unmade(changes.get(number), reason.getMessage());
      left.remove(number);
    }
  }
}
