package net.sluice.core.change;

import static net.sluice.core.testing.TestNetwork.limit;
import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.subscriber;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import net.sluice.core.ControllerException;
import net.sluice.core.Outcome;
import net.sluice.core.SetOutcome;
import net.sluice.core.declaration.Exported;
import net.sluice.core.declaration.TariffProgress;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.FaultyStore;
import net.sluice.core.testing.NetworkRig;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.Gate;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Labels;
import net.sluice.intents.model.LimitValues;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.Tariff;
import net.sluice.intents.model.TariffUse;
import net.sluice.intents.model.policy.Aqm;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.policy.LikeFunction;
import net.sluice.intents.model.policy.LimitDelay;
import net.sluice.intents.model.schedule.Schedule;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tariffs: their subscribers have what they would have if it were declared for each. */
class TariffTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** More than an FPGA represents. */
  private static final long IMPOSSIBLE = 900_000_000_000L;

  private ControllerRig rig;

  @BeforeEach
  void begin() {
    rig = settled();
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    rig.accept(policy("silver", BuiltInFunction.SILVER));
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private static ControllerRig settled() {
    ControllerRig rig = ControllerRig.create(TestNetwork.smallConfig());
    rig.time.pass(SECOND);
    return rig;
  }

  private static LimitValues rates(long downBps, long upBps) {
    return new LimitValues(
        downBps == 0 ? OptionalLong.empty() : OptionalLong.of(downBps),
        upBps == 0 ? OptionalLong.empty() : OptionalLong.of(upBps),
        OptionalInt.empty(),
        Optional.empty(),
        Optional.empty(),
        LimitDelay.UNSAID);
  }

  private static Change tariff(String id, String policy, LimitValues limit) {
    return new Change.Put(
        new Tariff(
            id,
            policy,
            Optional.empty(),
            limit,
            new Schedule<>(List.of()),
            Labels.NONE,
            Optional.empty()));
  }

  /** Home: silver, 50 Mbit/s down and 10 Mbit/s up. */
  private static Change home() {
    return tariff("home", "silver", rates(50_000_000, 10_000_000));
  }

  private static Subscriber under(String id, int address, TariffUse use) {
    Subscriber plain =
        subscriber(id, "10.0.0." + address + "/32").withPolicy(use.policyId().orElse("unknown"));
    return plain.withParts(
        plain.parts().withUpstreamPolicy(use.upstreamPolicyId()).withTariff(Optional.of(use)));
  }

  private static TariffUse use(String tariff, String policy, LimitValues overrides) {
    return new TariffUse(tariff, Optional.ofNullable(policy), Optional.empty(), overrides);
  }

  private static Change put(String id, int address) {
    return new Change.Put(under(id, address, use("home", null, LimitValues.NONE)));
  }

  private Subscriber subscriberOf(String id) {
    return (Subscriber) rig.controller.find(Kind.SUBSCRIBER, id).orElseThrow().declared();
  }

  private Optional<RateLimit> limitOf(String id) {
    return rig.controller
        .rateLimitOf(new Scope.OfSubscriber(id), Optional.empty())
        .map(found -> (RateLimit) found.declared());
  }

  private void declareThree() {
    rig.accept(home());
    rig.accept(put("alice", 1));
    rig.accept(new Change.Put(under("bob", 2, use("home", null, rates(80_000_000, 0)))));
    rig.accept(new Change.Put(under("carol", 3, use("home", "gold", LimitValues.NONE))));
    rig.time.pass(SECOND);
  }

  private String refusal(Change change) {
    Outcome dry = rig.controller.dryRun(change);
    Outcome outcome = rig.controller.apply(change);
    assertThat(outcome).isInstanceOf(Outcome.Refused.class);
    assertThat(((Outcome.Refused) dry).problems())
        .isEqualTo(((Outcome.Refused) outcome).problems());
    return ((Outcome.Refused) outcome).problems().get(0).detail();
  }

  @Test
  void howFarItsChangeIsCanBeAskedMeanwhile() {
    rig.accept(home());
    for (int i = 1; i <= 60; i++) {
      rig.accept(put("s" + i, i));
    }
    rig.time.pass(SECOND);
    Set<Optional<TariffProgress>> seen = new LinkedHashSet<>();
    rig.compiler.onPlan(number -> seen.add(rig.controller.progress("home")));
    rig.accept(tariff("home", "silver", rates(60_000_000, 10_000_000)));
    assertThat(seen)
        .containsExactly(
            Optional.empty(),
            Optional.of(new TariffProgress("home", 0, 60)),
            Optional.of(new TariffProgress("home", 50, 60)));
    assertThat(rig.controller.progress("home")).isEmpty();
    assertThat(rig.controller.progress("other")).isEmpty();
  }

  /** Nothing of the targets tells a tariff from declarations, also after a start. */
  @Test
  void itsSubscribersHaveWhatDeclaredOnesHave() throws Exception {
    declareThree();
    assertThat(subscriberOf("alice").policyId()).isEqualTo("silver");
    assertThat(subscriberOf("carol").policyId()).isEqualTo("gold");
    assertThat(limitOf("alice").orElseThrow().id()).isEqualTo("~alice");
    assertThat(limitOf("bob").orElseThrow().downBps()).hasValue(80_000_000);
    assertThat(limitOf("bob").orElseThrow().upBps()).hasValue(10_000_000);
    try (ControllerRig declared = settled()) {
      declared.accept(policy("gold", BuiltInFunction.GOLD));
      declared.accept(policy("silver", BuiltInFunction.SILVER));
      int address = 1;
      for (String[] each :
          new String[][] {{"alice", "silver"}, {"bob", "silver"}, {"carol", "gold"}}) {
        declared.accept(
            new Change.Put(subscriber(each[0], "10.0.0." + address++ + "/32").withPolicy(each[1])));
        declared.accept(
            limit(
                each[0] + "-own",
                new Scope.OfSubscriber(each[0]),
                each[0].equals("bob") ? 80_000_000 : 50_000_000,
                10_000_000));
      }
      declared.time.pass(SECOND);
      assertThat(rig.switchTarget.content()).isEqualTo(declared.switchTarget.content());
      assertThat(rig.down.content()).isEqualTo(declared.down.content());
      assertThat(rig.up.content()).isEqualTo(declared.up.content());
    }
    rig.controller.reconcile("switch");
    rig.controller.reconcile("fpga-down");
    rig.time.pass(SECOND);
    assertThat(rig.controller.drift("switch").compared().tables()).isEmpty();
    assertThat(rig.controller.drift("fpga-down").compared().tables()).isEmpty();
  }

  @Test
  void anotherTariffIsThatOfAllWithOneCommit() {
    declareThree();
    long commits = rig.store.history().revision().number();
    rig.accept(tariff("home", "gold", rates(30_000_000, 5_000_000)));
    assertThat(rig.store.history().revision().number()).isEqualTo(commits + 1);
    rig.time.pass(SECOND);
    assertThat(subscriberOf("alice").policyId()).isEqualTo("gold");
    assertThat(limitOf("alice").orElseThrow().downBps()).hasValue(30_000_000);
    assertThat(limitOf("bob").orElseThrow().downBps()).hasValue(80_000_000);
    assertThat(limitOf("bob").orElseThrow().upBps()).hasValue(5_000_000);
    isAsStoredAndInstalled();
    // Without rates no limit is left, but where the subscriber has one of its own values.
    rig.accept(tariff("home", "silver", LimitValues.NONE));
    rig.time.pass(SECOND);
    assertThat(limitOf("alice")).isEmpty();
    assertThat(limitOf("bob").orElseThrow().upBps()).isEmpty();
    assertThat(subscriberOf("bob").policyId()).isEqualTo("silver");
    isAsStoredAndInstalled();
  }

  private void isAsStoredAndInstalled() {
    var state = CompactSlaState.load(rig.store, rig.compiler);
    assertThat(rig.switchTarget.content()).isEqualTo(rig.expectedSwitch(state));
    for (Direction direction : Direction.values()) {
      var target = direction == Direction.DOWN ? rig.down : rig.up;
      assertThat(target.content().values()).containsAll(rig.expectedFpga(state, direction));
    }
    for (String id : List.of("alice", "bob", "carol")) {
      assertThat(state.subscriber(id).orElseThrow().subscriber()).isEqualTo(subscriberOf(id));
      assertThat(state.rateLimitOf(new Scope.OfSubscriber(id))).isEqualTo(limitOf(id));
    }
  }

  @Test
  void aTariffThatDoesNotFitOneChangesNone() {
    declareThree();
    var before = rig.switchTarget.content();
    assertThat(refusal(tariff("home", "gold", rates(IMPOSSIBLE, 5_000_000))))
        .startsWith("Tariff home would not fit 2 of its 3 subscribers: alice (")
        .contains("carol (")
        .doesNotContain("bob (");
    rig.time.pass(SECOND);
    assertThat(rig.switchTarget.content()).isEqualTo(before);
    assertThat(subscriberOf("alice").policyId()).isEqualTo("silver");
    isAsStoredAndInstalled();
    assertThat(refusal(tariff("home", "none", LimitValues.NONE)))
        .isEqualTo("There is no policy none.");
    // A subscriber is refused with its limit, too.
    assertThat(
            refusal(new Change.Put(under("alice", 1, use("home", "gold", rates(IMPOSSIBLE, 0))))))
        .contains("900000000000");
    assertThat(subscriberOf("alice").policyId()).isEqualTo("silver");
  }

  @Test
  void aCommitThatFailsLeavesAllAsTheyWere() {
    rig.close();
    FaultyStore store = new FaultyStore();
    rig = ControllerRig.create(TestNetwork.smallConfig(), store);
    rig.time.pass(SECOND);
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    rig.accept(policy("silver", BuiltInFunction.SILVER));
    declareThree();
    Change other = tariff("home", "gold", rates(30_000_000, 5_000_000));
    store.failWith(() -> new StackOverflowError("deep"));
    assertThatThrownBy(() -> rig.controller.apply(other)).isInstanceOf(ControllerException.class);
    store.failWith(null);
    rig.time.pass(Duration.ofMinutes(1));
    assertThat(subscriberOf("alice").policyId()).isEqualTo("silver");
    assertThat(limitOf("alice").orElseThrow().downBps()).hasValue(50_000_000);
    isAsStoredAndInstalled();
    rig.accept(other);
    rig.time.pass(SECOND);
    assertThat(limitOf("alice").orElseThrow().downBps()).hasValue(30_000_000);
    isAsStoredAndInstalled();
  }

  @Test
  void aDryRunTellsHowManyChangeAndChangesNone() {
    declareThree();
    var before = rig.switchTarget.content();
    Outcome.Accepted dry =
        (Outcome.Accepted)
            rig.controller.dryRun(tariff("home", "gold", rates(30_000_000, 5_000_000)));
    assertThat(dry.plan().notes())
        .contains("3 subscribers have it")
        .anyMatch(note -> note.startsWith("changes 5 declarations of these, by "));
    rig.time.pass(SECOND);
    assertThat(rig.switchTarget.content()).isEqualTo(before);
    isAsStoredAndInstalled();
    rig.accept(limit("tree", new Scope.OfTree(0, 3), 1_000_000_000, 0));
    rig.time.pass(SECOND);
    isAsStoredAndInstalled();
  }

  @Test
  void whatATariffMakesIsChangedByItAlone() {
    declareThree();
    assertThat(refusal(new Change.Delete(Kind.RATE_LIMIT, "~alice")))
        .isEqualTo(
            "Rate limit ~alice is for the tariff of subscriber alice to make: change the tariff, or"
                + " the overrides of the subscriber.");
    assertThat(refusal(new Change.Put(limitOf("alice").orElseThrow().withGate(Gate.CLOSED))))
        .contains("Rate limit ~alice is for the tariff");
    assertThat(refusal(limit("more", "alice"))).contains("~alice already limits");
    assertThat(refusal(new Change.Delete(Kind.TARIFF, "home")))
        .isEqualTo("Tariff home is in use by 3 subscribers: alice, bob, carol.");
    assertThat(refusal(new Change.Delete(Kind.POLICY, "silver"))).contains("in use by");
    assertThat(refusal(new Change.Put(under("dave", 4, use("none", null, LimitValues.NONE)))))
        .isEqualTo("There is no tariff none.");
  }

  @Test
  void whoHasOneNoMoreHasNothingOfIt() {
    declareThree();
    Outcome alone = rig.controller.apply(new Change.Put(subscriber("alice", "10.0.0.1/32")));
    assertThat(((Outcome.Accepted) alone).plan().notes()).noneMatch(note -> note.contains("~"));
    assertThat(limitOf("alice")).isEmpty();
    rig.accept(new Change.Delete(Kind.SUBSCRIBER, "bob"));
    rig.accept(new Change.Delete(Kind.SUBSCRIBER, "carol"));
    rig.accept(new Change.Delete(Kind.TARIFF, "home"));
    rig.time.pass(SECOND);
    assertThat(rig.switchTarget.content())
        .isEqualTo(rig.expectedSwitch(CompactSlaState.load(rig.store, rig.compiler)));
    assertThat(rig.controller.find(Kind.TARIFF, "home")).isEmpty();
    assertThat(limitOf("bob")).isEmpty();
  }

  @Test
  void aRestartGoesOnWithIt() {
    declareThree();
    rig = rig.restart();
    rig.time.pass(SECOND);
    isAsStoredAndInstalled();
    rig.accept(tariff("home", "gold", rates(30_000_000, 5_000_000)));
    rig.time.pass(SECOND);
    assertThat(subscriberOf("alice").policyId()).isEqualTo("gold");
    isAsStoredAndInstalled();
  }

  /** An export has what was declared, in an order in which it can be put. */
  @Test
  void anExportMakesTheSameAgain() {
    declareThree();
    List<Change> lines = new ArrayList<>();
    rig.controller.export((Exported each) -> lines.add(each.put()));
    assertThat(lines)
        .extracting(each -> each.kind().text() + " " + each.id())
        .containsExactly(
            "policy gold",
            "policy silver",
            "tariff home",
            "subscriber alice",
            "subscriber bob",
            "subscriber carol");
    try (ControllerRig other = settled()) {
      other.controller.applyAll(lines, outcome -> assertThat(outcome.isAccepted()).isTrue());
      other.time.pass(SECOND);
      assertThat(other.switchTarget.content()).isEqualTo(rig.switchTarget.content());
      assertThat(other.down.content()).isEqualTo(rig.down.content());
    }
    try (ControllerRig other = settled()) {
      SetOutcome set = other.controller.applyTogether(lines, false);
      assertThat(set.isMade()).as("%s", set).isTrue();
      other.time.pass(SECOND);
      assertThat(other.switchTarget.content()).isEqualTo(rig.switchTarget.content());
      assertThat(other.down.content()).isEqualTo(rig.down.content());
    }
  }

  @Test
  void aSetChangesTariffsAndSubscribersTogether() {
    declareThree();
    SetOutcome set =
        rig.controller.applyTogether(
            List.of(
                tariff("home", "gold", rates(30_000_000, 5_000_000)),
                new Change.Put(subscriber("bob", "10.0.0.2/32")),
                new Change.Delete(Kind.SUBSCRIBER, "carol"),
                put("dave", 3)),
            false);
    assertThat(set.isMade()).as("%s", set).isTrue();
    rig.time.pass(SECOND);
    assertThat(subscriberOf("alice").policyId()).isEqualTo("gold");
    assertThat(limitOf("alice").orElseThrow().downBps()).hasValue(30_000_000);
    assertThat(limitOf("bob")).isEmpty();
    assertThat(limitOf("dave").orElseThrow().downBps()).hasValue(30_000_000);
    assertThat(rig.switchTarget.content())
        .isEqualTo(rig.expectedSwitch(CompactSlaState.load(rig.store, rig.compiler)));
    SetOutcome refused =
        rig.controller.applyTogether(
            List.of(
                tariff("home", "silver", rates(IMPOSSIBLE, 0)),
                new Change.Delete(Kind.SUBSCRIBER, "dave")),
            false);
    assertThat(refused.isMade()).isFalse();
    rig.time.pass(SECOND);
    assertThat(subscriberOf("alice").policyId()).isEqualTo("gold");
    assertThat(subscriberOf("dave").policyId()).isEqualTo("gold");
  }

  private static Change managed(String id, int targetMicros) {
    return new Change.Put(
        new Policy(
            id,
            BuiltInFunction.GOLD,
            Optional.of(new Aqm.CoDel(AqmKind.CODEL_ACT, targetMicros, 100_000, false))));
  }

  private static Change like(String id, String other) {
    return new Change.Put(new Policy(id, new LikeFunction(other), Optional.empty()));
  }

  private List<String> policies(String... ids) {
    return Stream.of(ids).map(id -> subscriberOf(id).policyId()).toList();
  }

  private void isAsDeclared() {
    rig.time.pass(SECOND);
    assertThat(rig.switchTarget.content())
        .isEqualTo(rig.expectedSwitch(CompactSlaState.load(rig.store, rig.compiler)));
  }

  @Test
  void whatIsWrongWithAnOverrideIsToldWithItsField() {
    declareThree();
    Outcome over =
        rig.controller.apply(
            new Change.Put(under("bob", 2, use("home", null, rates(IMPOSSIBLE, 0)))));
    assertThat(((Outcome.Refused) over).problems())
        .extracting(Problem::field, Problem::value)
        .containsExactly(tuple("overrides.downBps", Long.toString(IMPOSSIBLE)));
    // Whose other values are the tariff's.
    SetOutcome set =
        rig.controller.applyTogether(
            List.of(
                new Change.Put(under("bob", 2, use("home", null, rates(IMPOSSIBLE, 0)))),
                tariff("home", "silver", rates(IMPOSSIBLE, 0))),
            false);
    assertThat(set.outcomes())
        .extracting(each -> ((Outcome.Refused) each).problems().get(0).field())
        .containsExactly("overrides.downBps", "tariff");
    assertThat(((Outcome.Refused) set.outcomes().get(1)).problems().get(0).detail())
        .startsWith("Tariff home would not fit 2 of its 3 subscribers: alice (");
  }

  /** Each is beside what the others get, not what they had. */
  @Test
  void itsSubscribersAreInNoWayOfEachOther() {
    rig.accept(managed("short", 3_000));
    rig.accept(managed("long", 5_000));
    rig.accept(tariff("home", "short", rates(50_000_000, 10_000_000)));
    rig.accept(put("alice", 1));
    rig.accept(put("bob", 2));
    Change other = tariff("home", "long", rates(20_000_000, 10_000_000));
    Outcome dry = rig.controller.dryRun(other);
    assertThat(((Outcome.Accepted) dry).plan().writes()).isEmpty();
    assertThat(((Outcome.Accepted) dry).replaces()).isTrue();
    assertThat(policies("alice", "bob")).containsExactly("short", "short");
    Outcome outcome = rig.controller.apply(other);
    assertThat(((Outcome.Accepted) outcome).targets()).as("%s", outcome).isNotEmpty();
    assertThat(policies("alice", "bob")).containsExactly("long", "long");
    assertThat(limitOf("bob").orElseThrow().downBps()).hasValue(20_000_000);
    isAsDeclared();
    // Somebody without a tariff has it.
    rig.accept(new Change.Put(subscriber("carol", "10.0.0.3/32").withPolicy("long")));
    Change back = tariff("home", "short", rates(20_000_000, 10_000_000));
    assertThat(refusal(back)).contains("would not fit 2 of its 2 subscribers");
  }

  /** Whether it has subscribers or not. */
  @Test
  void aSetMayReplaceThePolicyOfATariff() {
    declareThree();
    rig.accept(tariff("unused", "silver", LimitValues.NONE));
    SetOutcome set =
        rig.controller.applyTogether(
            List.of(
                new Change.Delete(Kind.POLICY, "silver"),
                policy("bronze", BuiltInFunction.SILVER),
                tariff("home", "bronze", rates(50_000_000, 10_000_000)),
                tariff("unused", "bronze", LimitValues.NONE)),
            false);
    assertThat(set.isMade()).as("%s", set).isTrue();
    assertThat(policies("alice", "bob", "carol")).containsExactly("bronze", "bronze", "gold");
    assertThat(rig.controller.find(Kind.POLICY, "silver")).isEmpty();
    rig.accept(like("also", "bronze"));
    rig.accept(tariff("unused", "also", LimitValues.NONE));
    SetOutcome others =
        rig.controller.applyTogether(
            List.of(
                new Change.Delete(Kind.POLICY, "also"),
                new Change.Delete(Kind.POLICY, "bronze"),
                tariff("home", "gold", rates(50_000_000, 10_000_000)),
                tariff("unused", "gold", LimitValues.NONE)),
            false);
    assertThat(others.isMade()).as("%s", others).isTrue();
    assertThat(limitOf("alice").orElseThrow().downBps()).hasValue(50_000_000);
    isAsDeclared();
  }

  @Test
  void itHoldsAtAllSwitchesAndGoesAlongWhereItsSubscribersMove() {
    try (NetworkRig network = NetworkRig.settled("bng1", "bng2")) {
      network.accept(policy("gold", BuiltInFunction.GOLD));
      network.accept(policy("silver", BuiltInFunction.SILVER));
      network.accept(home());
      network.accept(NetworkRig.at("bng1", (Change.Put) put("alice", 1)));
      network.accept(NetworkRig.at("bng2", (Change.Put) put("bob", 2)));
      network.time.pass(SECOND);
      network.accept(tariff("home", "gold", rates(30_000_000, 0)));
      network.time.pass(SECOND);
      for (String id : List.of("alice", "bob")) {
        Optional<RateLimit> limit =
            network
                .controller
                .rateLimitOf(new Scope.OfSubscriber(id), Optional.empty())
                .map(found -> (RateLimit) found.declared());
        assertThat(limit.orElseThrow().downBps()).as(id).hasValue(30_000_000);
      }
      Outcome refused = network.controller.apply(tariff("home", "gold", rates(IMPOSSIBLE, 0)));
      assertThat(((Outcome.Refused) refused).problems()).hasSize(2);
      network.accept(NetworkRig.at("bng2", (Change.Put) put("alice", 1)));
      network.time.pass(SECOND);
      var moved =
          network
              .controller
              .rateLimitOf(new Scope.OfSubscriber("alice"), Optional.of("bng2"))
              .orElseThrow();
      assertThat(moved.id()).isEqualTo("~alice");
      assertThat(
              network.controller.rateLimitOf(new Scope.OfSubscriber("alice"), Optional.of("bng1")))
          .isEmpty();
    }
  }
}
