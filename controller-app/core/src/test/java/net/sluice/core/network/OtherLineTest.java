package net.sluice.core.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.sluice.core.Outcome;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.entry.forwarding.EncapsulationEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A subscriber whose VLAN tags change beside its port or its prefixes, in one request. */
class OtherLineTest {
  private static final String NOTE =
      "gets other tags beside another port or other prefixes; its counters begin at zero";

  private static Change put(String id, String prefix, int port, int tag) {
    return new Change.Put(
        new Subscriber(
            id,
            "gold",
            List.of(IpPrefix.parse(prefix)),
            Optional.of(VlanTags.single(tag)),
            new Attachment(port, 1)));
  }

  private static ControllerRig rig(int subscribers, int batchSize) {
    ControllerRig rig =
        ControllerRig.create(
            TestNetwork.smallConfig(TestNetwork.switchProfile(subscribers))
                .batchSize(batchSize)
                .window(8));
    rig.time.pass(Duration.ofSeconds(1));
    rig.accept(TestNetwork.policy("gold", BuiltInFunction.GOLD));
    rig.time.pass(Duration.ofSeconds(1));
    return rig;
  }

  /** The prefixes that packets are found by, each with the port and the tags they leave with. */
  private static Set<String> lines(ControllerRig rig) {
    Set<String> lines = new TreeSet<>();
    for (Object entry : rig.switchTarget.content().values()) {
      if (entry instanceof SubscriberPrefixEntry of) {
        lines.add(
            of.prefix() + " port " + of.data().egressPort() + " " + tags(rig, of.data().index()));
      }
    }
    return lines;
  }

  private static String tags(ControllerRig rig, int index) {
    for (Object entry : rig.switchTarget.content().values()) {
      if (entry instanceof EncapsulationEntry of && of.index() == index) {
        return "tag " + of.vlans().sVlan();
      }
    }
    return "no tags";
  }

  @ParameterizedTest
  @CsvSource({"10.0.0.1/32, 1", "10.0.0.2/32, 0", "10.0.0.2/32, 1"})
  void itsPacketsMeetNoTagsOfTheOtherLine(String prefix, int port) {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      try (ControllerRig rig = rig(100, 1 + random.nextInt(3))) {
        rig.accept(put("alice", "10.0.0.1/32", 0, 101));
        rig.time.pass(Duration.ofSeconds(1));
        Set<String> seen = new TreeSet<>();
        Set<String> right = new TreeSet<>(lines(rig));
        rig.switchTarget.afterEachWrite(() -> seen.addAll(lines(rig)));
        rig.switchTarget.overtake(random, Duration.ofMillis(20));

        Outcome.Accepted moved = rig.accept(put("alice", prefix, port, 201));
        rig.time.pass(Duration.ofSeconds(10));

        right.addAll(lines(rig));
        assertThat(seen).as("seed " + seed).isEqualTo(right);
        assertThat(moved.plan().notes()).contains(NOTE);
        assertThat(rig.controller.summary().isAllInstalled()).isTrue();
        assertThat(rig.switchTarget.content())
            .isEqualTo(rig.expectedSwitch(CompactSlaState.load(rig.store, rig.compiler)));
      }
    }
  }

  /** Its tags have an entry: there is no other to go through where they change alone. */
  @Test
  void itsIndexAndCountersStayWhereOnlyTheTagsChange() {
    try (ControllerRig rig = rig(100, 10)) {
      int index = rig.accept(put("alice", "10.0.0.1/32", 0, 101)).plan().delta().number();
      Outcome.Accepted changed = rig.accept(put("alice", "10.0.0.1/32", 0, 201));
      assertThat(changed.plan().delta().number()).isEqualTo(index);
      assertThat(changed.plan().notes()).doesNotContain(NOTE);
    }
  }

  @Test
  void whereTheSwitchIsFullItGoesOnUnderItsIndex() {
    try (ControllerRig rig = rig(2, 10)) {
      int index = rig.accept(put("alice", "10.0.0.1/32", 0, 101)).plan().delta().number();
      rig.accept(put("bob", "10.0.0.2/32", 0, 102));
      Outcome.Accepted changed = rig.accept(put("alice", "10.0.0.1/32", 1, 201));
      assertThat(changed.plan().delta().number()).isEqualTo(index);
      assertThat(changed.plan().notes()).doesNotContain(NOTE);
      rig.time.pass(Duration.ofSeconds(10));
      assertThat(rig.controller.summary().isAllInstalled()).isTrue();
    }
  }
}
