package net.sluice.core.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import net.sluice.core.ControllerException;
import net.sluice.core.Outcome;
import net.sluice.core.SetOutcome;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.store.StoreException;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.FaultyStore;
import net.sluice.core.testing.MemoryTarget;
import net.sluice.core.testing.NetworkRig;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.limit.SubscriberMeterEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberVlanEntry;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Changes that are made together: what one gives up, another has. */
class ChangeSetTest {
  private static final String A = "10.0.0.1/32";
  private static final String B = "10.0.0.2/32";

  private static Change subscriber(String id, int tree, int tag, String... prefixes) {
    return new Change.Put(
        new Subscriber(
            id,
            "gold",
            Arrays.stream(prefixes).map(IpPrefix::parse).toList(),
            Optional.of(VlanTags.single(tag)),
            new Attachment(0, tree)));
  }

  private static Change limit(String id, Scope scope, long bps, Enforcement by) {
    return new Change.Put(
        new RateLimit(
            id,
            scope,
            OptionalLong.of(bps),
            OptionalLong.empty(),
            OptionalInt.empty(),
            Optional.of(by)));
  }

  private static Change own(String id, String of, long bps, Enforcement by) {
    return limit(id, new Scope.OfSubscriber(of), bps, by);
  }

  private static ControllerRig rig() {
    ControllerRig rig =
        ControllerRig.create(
            TestNetwork.smallConfig(
                TestNetwork.switchProfile(100).withMeters(new MeterProfile(100))));
    rig.time.pass(Duration.ofSeconds(1));
    rig.accept(TestNetwork.policy("gold", BuiltInFunction.GOLD));
    return rig;
  }

  private static void make(ControllerRig rig, Change... changes) {
    SetOutcome outcome = rig.controller.applyTogether(List.of(changes), false);
    assertThat(outcome.isMade()).as(outcome.outcomes().toString()).isTrue();
  }

  private static List<String> keysWritten(MemoryTarget<SwitchEntry> target, int from) {
    return target.writes().subList(from, target.writes().size()).stream()
        .map(
            write ->
                write.op()
                    + " "
                    + (write.entity() instanceof SubscriberPrefixEntry of
                        ? of.prefix()
                        : write.entity().table()))
        .toList();
  }

  @Test
  void twoAddressesExchangedAreTwoEntriesModified() {
    try (ControllerRig rig = rig()) {
      make(rig, subscriber("a", 1, 101, A), subscriber("b", 1, 102, B));
      rig.time.settle();
      int before = rig.switchTarget.writes().size();
      make(rig, subscriber("a", 1, 101, B), subscriber("b", 1, 102, A));
      rig.time.settle();
      assertThat(keysWritten(rig.switchTarget, before))
          .containsExactlyInAnyOrder("MODIFY " + A, "MODIFY " + B);
    }
  }

  @Test
  void whatIsDeletedAndPutAgainInOneSetIsLeftAsItIs() {
    try (ControllerRig rig = rig()) {
      Change a = subscriber("a", 1, 101, A);
      make(rig, a, own("l", "a", 5_000_000, Enforcement.POLICE));
      rig.time.settle();
      int before = rig.switchTarget.writes().size();
      make(
          rig,
          new Change.Delete(Kind.RATE_LIMIT, "l"),
          a,
          new Change.Delete(Kind.SUBSCRIBER, "a"),
          own("l", "a", 5_000_000, Enforcement.POLICE));
      rig.time.settle();
      assertThat(keysWritten(rig.switchTarget, before)).isEmpty();
    }
  }

  @Test
  void anAddressPassesOnAlongAChain() {
    try (ControllerRig rig = rig()) {
      make(
          rig,
          subscriber("a", 1, 101, A),
          subscriber("b", 1, 102, B),
          subscriber("c", 1, 103, "10.0.0.3/32"));
      make(
          rig,
          subscriber("c", 1, 103, B),
          subscriber("b", 1, 102, A),
          subscriber("a", 1, 101, "10.0.0.4/32"));
      rig.time.settle();
      assertThat(rig.switchTarget.content())
          .isEqualTo(rig.expectedSwitch(CompactSlaState.load(rig.store, rig.compiler)));
    }
  }

  /**
   * At every moment, whatever batch overtakes another, each address is classified and its packets
   * are limited by something.
   */
  @ParameterizedTest
  @CsvSource({
    "POLICE, POLICE",
    "FPGA, FPGA",
    "FPGA, POLICE",
    "POLICE, FPGA",
  })
  void whileTwoExchangeAllNoneIsUnclassifiedOrUnlimited(Enforcement one, Enforcement other) {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      ControllerRig rig =
          ControllerRig.create(
              TestNetwork.smallConfig(
                      TestNetwork.switchProfile(100).withMeters(new MeterProfile(100)))
                  .batchSize(1 + random.nextInt(3))
                  .window(8));
      rig.time.pass(Duration.ofSeconds(1));
      rig.accept(TestNetwork.policy("gold", BuiltInFunction.GOLD));
      make(
          rig,
          subscriber("a", 1, 101, A, "10.1.0.0/24"),
          subscriber("b", 2, 102, B),
          own("la", "a", 5_000_000, one),
          own("lb", "b", 9_000_000, other));
      rig.time.pass(Duration.ofSeconds(1));
      List<String> wrong = new ArrayList<>();
      Runnable look = () -> look(rig, wrong);
      rig.switchTarget.afterEachWrite(look);
      rig.down.afterEachWrite(look);
      rig.switchTarget.overtake(random, Duration.ofMillis(20));
      rig.down.overtake(random, Duration.ofMillis(20));
      make(
          rig,
          subscriber("a", 2, 102, B, "10.1.0.0/25"),
          own("lb", "a", 9_000_000, other),
          subscriber("b", 1, 101, A, "10.1.0.128/25"),
          own("la", "b", 5_000_000, one));
      rig.time.pass(Duration.ofSeconds(10));
      assertThat(wrong).as("seed " + seed).isEmpty();
      assertThat(rig.controller.summary().isAllInstalled()).isTrue();
      assertThat(rig.switchTarget.content())
          .isEqualTo(rig.expectedSwitch(CompactSlaState.load(rig.store, rig.compiler)));
      rig.close();
    }
  }

  private static void look(ControllerRig rig, List<String> wrong) {
    for (String address : List.of(A, B, "10.1.0.7/32", "10.1.0.200/32")) {
      IpPrefix at = IpPrefix.parse(address);
      List<SubscriberData> found =
          rig.switchTarget.content().values().stream()
              .filter(
                  entry -> entry instanceof SubscriberPrefixEntry of && of.prefix().overlaps(at))
              .map(entry -> ((SubscriberPrefixEntry) entry).data())
              .toList();
      if (found.isEmpty()) {
        wrong.add(address + " belongs to no subscriber");
      }
      for (SubscriberData data : found) {
        if (!isLimited(rig, data)) {
          wrong.add(address + " is not limited: " + data);
        }
      }
    }
    for (int tag : List.of(101, 102)) {
      if (rig.switchTarget.content().values().stream()
          .noneMatch(
              entry ->
                  entry instanceof SubscriberVlanEntry of
                      && of.vlans().equals(VlanTags.single(tag)))) {
        wrong.add("tag " + tag + " belongs to no subscriber");
      }
    }
  }

  private static boolean isLimited(ControllerRig rig, SubscriberData data) {
    boolean isMetered =
        rig.switchTarget.content().values().stream()
            .anyMatch(
                entry ->
                    entry instanceof SubscriberMeterEntry meter
                        && meter.index() == data.index()
                        && meter.direction() == Direction.DOWN
                        && meter.meter().isPresent());
    int most = rig.compiler.fpgaProfile().maxRateWord();
    boolean isShaped =
        data.shapeDown()
            && rig.down.content().values().stream()
                .anyMatch(
                    setting ->
                        setting instanceof RateWord rate
                            && rate.level() == FpgaLevel.CUSTOMER
                            && rate.index() == QueueId.customerIndex(data.queueId())
                            && rate.word() < most);
    return isMetered || isShaped;
  }

  @Test
  void aFullTableMakesRoomFirst() {
    ControllerRig rig = ControllerRig.create(TestNetwork.smallConfig(TestNetwork.switchProfile(2)));
    rig.time.pass(Duration.ofSeconds(1));
    rig.accept(TestNetwork.policy("gold", BuiltInFunction.GOLD));
    make(rig, subscriber("a", 1, 101, A, B), subscriber("b", 1, 102, "10.0.0.3/32", "10.0.0.4/32"));
    rig.time.settle();
    int before = rig.switchTarget.writes().size();
    make(
        rig,
        new Change.Delete(Kind.SUBSCRIBER, "a"),
        subscriber("c", 1, 103, "10.0.0.5/32", "10.0.0.6/32"));
    rig.time.settle();
    List<String> prefixes =
        keysWritten(rig.switchTarget, before).stream().filter(key -> key.contains("/")).toList();
    assertThat(prefixes.subList(0, 2)).allMatch(key -> key.startsWith(Op.DELETE.name()));
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
    rig.close();
  }

  @Test
  void aWrongMemberLeavesAllAsItWas() {
    try (ControllerRig rig = rig()) {
      make(rig, subscriber("a", 1, 101, A), own("l", "a", 5_000_000, Enforcement.POLICE));
      rig.time.settle();
      int before = rig.switchTarget.writes().size();
      long revision = rig.store.history().revision().number();
      SetOutcome outcome =
          rig.controller.applyTogether(
              List.of(
                  subscriber("a", 1, 101, B),
                  subscriber("b", 1, 102, A),
                  own("l", "b", 5_000_000, Enforcement.POLICE),
                  subscriber("c", 1, 101, "10.0.0.3/32")),
              false);
      assertThat(outcome.isMade()).isFalse();
      assertThat(outcome.outcomes()).element(3).isInstanceOf(Outcome.Refused.class);
      assertThat(outcome.outcomes().subList(0, 3)).allMatch(Outcome.Unmade.class::isInstance);
      rig.time.settle();
      assertThat(rig.switchTarget.writes()).hasSize(before);
      assertThat(rig.store.history().revision().number()).isEqualTo(revision);
      // The names of what was not made are free.
      make(rig, subscriber("d", 1, 102, B));
    }
  }

  @Test
  void aCommitThatFailsMakesNoneAndAKillBeforeAnyWriteMakesAll() {
    FaultyStore store = new FaultyStore();
    ControllerRig rig = ControllerRig.create(TestNetwork.smallConfig(), store);
    rig.time.pass(Duration.ofSeconds(1));
    rig.accept(TestNetwork.policy("gold", BuiltInFunction.GOLD));
    make(rig, subscriber("a", 1, 101, A), subscriber("b", 1, 102, B));
    rig.time.settle();
    store.failWith(() -> new StoreException("no space left"));
    Change[] exchange = {subscriber("a", 1, 101, B), subscriber("b", 1, 102, A)};
    assertThat(catchThrowable(() -> rig.controller.applyTogether(List.of(exchange), false)))
        .isInstanceOf(ControllerException.class);
    store.failWith(null);
    rig.time.pass(Duration.ofMinutes(1));
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "a").orElseThrow().declared())
        .isEqualTo(((Change.Put) subscriber("a", 1, 101, A)).declaration());
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();

    make(rig, exchange);
    ControllerRig again = rig.restart();
    again.time.pass(Duration.ofMinutes(1));
    assertThat(again.switchTarget.content())
        .isEqualTo(again.expectedSwitch(CompactSlaState.load(again.store, again.compiler)));
    assertThat(again.controller.find(Kind.SUBSCRIBER, "a").orElseThrow().declared())
        .isEqualTo(((Change.Put) exchange[0]).declaration());
    again.close();
  }

  /** Each is made as a whole: after both, the addresses are exchanged round. */
  @Test
  void twoSetsAtOnceAreMadeOneAfterTheOther() {
    try (NetworkRig rig = NetworkRig.settled("one", "two")) {
      rig.accept(TestNetwork.policy("gold", BuiltInFunction.GOLD));
      List<Change> some = new ArrayList<>();
      List<Change> others = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        some.add(at("s" + i, i % 2 == 0 ? "one" : "two", i));
        others.add(at("s" + i, i % 2 == 0 ? "two" : "one", 199 - i));
      }
      CompletableFuture<SetOutcome> beside =
          CompletableFuture.supplyAsync(() -> rig.controller.applyTogether(some, false));
      SetOutcome outcome = rig.controller.applyTogether(others, false);
      assertThat(outcome.isMade()).isTrue();
      assertThat(beside.join().isMade()).isTrue();
      rig.time.pass(Duration.ofMinutes(1));
      assertThat(rig.controller.summary().isAllInstalled()).isTrue();
      boolean isSome =
          rig.controller.find(Kind.SUBSCRIBER, "s0").orElseThrow().switchName().get().equals("one");
      for (Change each : isSome ? some : others) {
        assertThat(rig.controller.find(Kind.SUBSCRIBER, each.id()).orElseThrow().declared())
            .isEqualTo(((Change.Put) each).declaration());
      }
    }
  }

  /** It is deleted at one switch only after the other has it, in either order of answers. */
  @Test
  void anAddressThatPassesToAnotherSwitchIsKnownAtOneOfThemAtAnyMoment() {
    for (int seed = 0; seed < 20; seed++) {
      try (NetworkRig rig = NetworkRig.settled("one", "two")) {
        rig.accept(TestNetwork.policy("gold", BuiltInFunction.GOLD));
        rig.accept(at("a", "one", 1));
        rig.accept(at("b", "two", 2));
        rig.time.pass(Duration.ofSeconds(1));
        List<String> lost = new ArrayList<>();
        Random random = new Random(seed);
        for (MemoryTarget<SwitchEntry> target : rig.switches.values()) {
          target.afterEachWrite(() -> addUnknown(rig, lost));
          target.overtake(random, Duration.ofMillis(20));
        }
        SetOutcome outcome =
            rig.controller.applyTogether(List.of(at("a", "one", 2), at("b", "two", 1)), false);
        assertThat(outcome.isMade()).isTrue();
        rig.time.pass(Duration.ofSeconds(10));
        assertThat(lost).as("seed " + seed).isEmpty();
        assertThat(rig.controller.summary().isAllInstalled()).isTrue();
        assertThat(isKnown(rig, "one", 2) && isKnown(rig, "two", 1)).isTrue();
        assertThat(isKnown(rig, "one", 1) || isKnown(rig, "two", 2)).isFalse();
      }
    }
  }

  @Test
  void aSwitchThatIsAwayHoldsNothingUpAtAnother() {
    try (NetworkRig rig = NetworkRig.settled("one", "two")) {
      rig.accept(TestNetwork.policy("gold", BuiltInFunction.GOLD));
      rig.accept(at("a", "one", 1));
      rig.accept(at("b", "two", 2));
      rig.time.pass(Duration.ofSeconds(1));
      rig.switches.get("two").reachable(false);
      rig.time.pass(Duration.ofSeconds(1));
      SetOutcome outcome =
          rig.controller.applyTogether(List.of(at("a", "one", 2), at("b", "two", 1)), false);
      assertThat(outcome.isMade()).isTrue();
      rig.time.pass(Duration.ofSeconds(1));
      assertThat(isKnown(rig, "one", 2)).isTrue();
      assertThat(isKnown(rig, "one", 1)).isFalse();
      rig.switches.get("two").reachable(true);
      rig.time.pass(Duration.ofMinutes(5));
      assertThat(rig.controller.summary().isAllInstalled()).isTrue();
    }
  }

  private static boolean isKnown(NetworkRig rig, String switchName, int address) {
    IpPrefix prefix = IpPrefix.parse("10.0.0." + address + "/32");
    return rig.switches.get(switchName).content().values().stream()
        .anyMatch(entry -> entry instanceof SubscriberPrefixEntry of && of.prefix().equals(prefix));
  }

  private static void addUnknown(NetworkRig rig, List<String> lost) {
    for (int address : List.of(1, 2)) {
      if (!isKnown(rig, "one", address) && !isKnown(rig, "two", address)) {
        lost.add("10.0.0." + address + " belongs to no subscriber");
      }
    }
  }

  private static Change at(String id, String switchName, int address) {
    return new Change.Put(
        TestNetwork.subscriber(id, "10.0.0." + address + "/32"), Optional.of(switchName));
  }
}
