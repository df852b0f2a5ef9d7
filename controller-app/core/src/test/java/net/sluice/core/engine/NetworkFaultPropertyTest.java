package net.sluice.core.engine;

import static net.sluice.core.testing.NetworkRig.at;
import static net.sluice.core.testing.TestNetwork.limit;
import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.sluice.core.ControllerException;
import net.sluice.core.Declared;
import net.sluice.core.Outcome;
import net.sluice.core.testing.NetworkRig;
import net.sluice.intents.model.BuiltInFunction;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Table;
import net.sluice.intents.validate.Refusal;

/**
 * Subscribers come, move between switches and go, while switches are away, the store fails and the
 * controller crashes: in the end every one is at the switch that it was put at last, with its
 * limit, and at no other.
 */
class NetworkFaultPropertyTest {
  private static final List<String> SWITCHES = List.of("bng1", "bng2", "bng3");
  private static final int SUBSCRIBERS = 6;
  private static final int STEPS = 60;

  private final Map<String, String> expected = new HashMap<>();

  @Property(tries = 60, seed = "1")
  void nothingAcknowledgedIsLostOrDoubled(@ForAll @LongRange(min = 0) long seed) throws Refusal {
    expected.clear();
    Random random = new Random(seed);
    NetworkRig rig = NetworkRig.settled(SWITCHES.toArray(String[]::new));
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    for (int step = 0; step < STEPS; step++) {
      step(rig, random);
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
    switch (random.nextInt(12)) {
      case 0 -> rig.switches.get(name).reachable(false);
      case 1 -> rig.switches.get(name).reachable(true);
      case 2 -> rig.store.failNext();
      case 3 -> rig.open();
      case 4, 5 -> rig.time.pass(Duration.ofMillis(random.nextInt(5_000)));
      case 6 -> change(rig, new Change.Delete(Kind.RATE_LIMIT, id + "-limit"), null);
      case 7 -> change(rig, new Change.Delete(Kind.SUBSCRIBER, id), null);
      case 8 -> change(rig, limit(id + "-limit", id), null);
      default ->
          change(rig, at(name, put(id, "10.0.0." + (10 + id.charAt(1) - '0') + "/32")), name);
    }
  }

  private void change(NetworkRig rig, Change change, String name) {
    try {
      Outcome outcome = rig.controller.apply(change);
      if (outcome.isAccepted() && change.kind() == Kind.SUBSCRIBER) {
        if (name == null) {
          expected.remove(change.id());
        } else {
          expected.put(change.id(), name);
        }
      }
    } catch (ControllerException e) {
      // The store failed with it or has not come back yet: nothing has changed.
      assertThat(e).hasMessageMatching("(?s).*(no space left|takes no changes).*");
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
