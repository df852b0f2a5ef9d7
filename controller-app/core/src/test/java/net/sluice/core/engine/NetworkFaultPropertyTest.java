package net.sluice.core.engine;

import static net.sluice.core.testing.NetworkRig.at;
import static net.sluice.core.testing.TestNetwork.limit;
import static net.sluice.core.testing.TestNetwork.policy;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.sluice.core.ControllerException;
import net.sluice.core.Declared;
import net.sluice.core.Outcome;
import net.sluice.core.testing.NetworkRig;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.BuiltInFunction;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.SwitchEntry.SubscriberPrefixEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.validate.Refusal;

/**
 * Subscribers come, move between switches and go, one by one and in bulks, while switches are away,
 * lose their sessions one at a time, answer late, are put anew and compared, policies change, the
 * store fails and the controller crashes. Whoever has once been served is served by some switch at
 * every moment until deleted; and in the end every one is at the switch that it was put at last,
 * with its limit, and at no other.
 */
class NetworkFaultPropertyTest {
  private static final List<String> SWITCHES = List.of("bng1", "bng2", "bng3");
  private static final int SUBSCRIBERS = 6;
  private static final int STEPS = 100;
  private static final String STORE_FAILED = "(?s).*(no space left|takes no changes).*";

  private final Map<String, String> expected = new HashMap<>();

  /** Those of them that some switch has served since they were declared. */
  private final Set<String> served = new HashSet<>();

  /** Those that were deleted, and of which some switch may still have what it is to delete. */
  private final Set<String> leftOver = new HashSet<>();

  @Property(tries = 60, seed = "1")
  void nothingAcknowledgedIsLostOrDoubled(@ForAll @LongRange(min = 0) long seed) throws Refusal {
    expected.clear();
    served.clear();
    leftOver.clear();
    Random random = new Random(seed);
    NetworkRig rig = NetworkRig.settled(SWITCHES.toArray(String[]::new));
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    for (int step = 0; step < STEPS; step++) {
      step(rig, random);
      checkServed(rig, step);
    }
    SWITCHES.forEach(name -> rig.switches.get(name).reachable(true));
    SWITCHES.forEach(name -> rig.switches.get(name).answerAll());
    rig.time.pass(Duration.ofMinutes(2));
    check(rig);
    rig.close();
  }

  private void step(NetworkRig rig, Random random) {
    String id = "s" + random.nextInt(SUBSCRIBERS);
    String name = SWITCHES.get(random.nextInt(SWITCHES.size()));
    switch (random.nextInt(20)) {
      case 0 -> rig.switches.get(name).reachable(false);
      case 1, 2 -> rig.switches.get(name).reachable(true);
      case 3 -> rig.store.failNext();
      case 4 -> rig.open();
      case 5, 6 -> rig.time.pass(Duration.ofMillis(random.nextInt(5_000)));
      case 7 -> change(rig, new Change.Delete(Kind.RATE_LIMIT, id + "-limit"));
      case 8 -> change(rig, new Change.Delete(Kind.SUBSCRIBER, id));
      case 9 -> change(rig, limit(id + "-limit", id));
      case 10 -> {
        // Its session only; the others stand.
        rig.switches.get(name).reachable(false);
        rig.switches.get(name).reachable(true);
        rig.time.settle();
      }
      case 11 -> rig.switches.get(name).holdAnswers();
      case 12 -> rig.switches.get(name).answerAll();
      case 13 -> putSwitch(rig, name);
      case 14 -> rig.controller.reconcile();
      case 15 ->
          change(
              rig,
              policy("gold", random.nextBoolean() ? BuiltInFunction.GOLD : BuiltInFunction.SILVER));
      case 16 -> bulk(rig, random);
      default -> change(rig, put(id, name));
    }
  }

  private static Change.Put put(String id, String name) {
    return at(name, TestNetwork.put(id, "10.0.0." + (10 + id.charAt(1) - '0') + "/32"));
  }

  private static void putSwitch(NetworkRig rig, String name) {
    try {
      boolean unused = rig.controller.put(rig.member(name));
    } catch (Refusal | ControllerException e) {
      throw new AssertionError("switch " + name + " is as it was", e);
    }
  }

  private void bulk(NetworkRig rig, Random random) {
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < SUBSCRIBERS; i++) {
      String id = "s" + random.nextInt(SUBSCRIBERS);
      String name = SWITCHES.get(random.nextInt(SWITCHES.size()));
      changes.add(random.nextInt(4) == 0 ? new Change.Delete(Kind.SUBSCRIBER, id) : put(id, name));
    }
    try {
      rig.controller.applyAll(changes, this::note);
    } catch (ControllerException e) {
      assertThat(e).hasMessageMatching(STORE_FAILED);
    }
  }

  private void note(Outcome outcome) {
    Change change = outcome.change();
    if (outcome.isAccepted() && change.kind() == Kind.SUBSCRIBER) {
      if (change instanceof Change.Put put) {
        expected.put(change.id(), put.switchName().orElseThrow());
      } else {
        expected.remove(change.id());
        served.remove(change.id());
        leftOver.add(change.id());
      }
    }
  }

  /** At no moment does a switch stop to serve before another one has begun. */
  private void checkServed(NetworkRig rig, int step) {
    for (String id : expected.keySet()) {
      boolean isServed =
          SWITCHES.stream()
              .flatMap(name -> rig.switches.get(name).content().values().stream())
              .anyMatch(
                  entry ->
                      entry instanceof SubscriberPrefixEntry prefix
                          && prefix.prefix().equals(prefixOf(id)));
      if (!isServed) {
        leftOver.remove(id);
      } else if (!leftOver.contains(id)) {
        served.add(id);
      }
      if (!isServed) {
        assertThat(served).as("served, but not after step " + step).doesNotContain(id);
      }
    }
  }

  private static IpPrefix prefixOf(String id) {
    return ((Subscriber) put(id, "any").declaration()).prefixes().get(0);
  }

  private void change(NetworkRig rig, Change change) {
    try {
      note(rig.controller.apply(change));
    } catch (ControllerException e) {
      // The store failed with it or has not come back yet: nothing has changed.
      assertThat(e).hasMessageMatching(STORE_FAILED);
    }
  }

  private void check(NetworkRig rig) throws Refusal {
    assertThat(rig.controller.summary().isAllInstalled())
        .as(rig.controller.summary().toString())
        .isTrue();
    for (String name : SWITCHES) {
      long here = expected.values().stream().filter(name::equals).count();
      assertThat(
              rig.switches.get(name).content().values().stream()
                  .filter(entry -> entry.table() == Table.IPV4_PREFIX)
                  .count())
          .as("prefixes at " + name)
          .isEqualTo(here);
    }
    for (Map.Entry<String, String> each : expected.entrySet()) {
      Declared found = rig.controller.find(Kind.SUBSCRIBER, each.getKey()).orElseThrow();
      assertThat(found.switchName()).hasValue(each.getValue());
      rig.controller
          .find(Kind.RATE_LIMIT, each.getKey() + "-limit")
          .ifPresent(limit -> assertThat(limit.switchName()).hasValue(each.getValue()));
    }
    rig.controller.reconcile();
    rig.time.pass(Duration.ofSeconds(10));
    for (String target :
        rig.controller.summary().targets().stream().map(t -> t.target()).toList()) {
      assertThat(rig.controller.drift(target).compared().tables()).as(target).isEmpty();
    }
  }
}
