package net.sluice.core.network;

import static net.sluice.core.testing.NetworkRig.at;
import static net.sluice.core.testing.TestNetwork.limit;
import static net.sluice.core.testing.TestNetwork.numbered;
import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.put;
import static net.sluice.core.testing.TestNetwork.switchProfile;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.sluice.core.ControllerException;
import net.sluice.core.Declared;
import net.sluice.core.Outcome;
import net.sluice.core.Page;
import net.sluice.core.Selection;
import net.sluice.core.TargetState;
import net.sluice.core.TargetStatus;
import net.sluice.core.store.InMemoryNetworkStore;
import net.sluice.core.testing.NetworkRig;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.Table;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.InvalidValueException;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NetworkTest {
  private NetworkRig rig;

  @BeforeEach
  void connect() {
    rig = NetworkRig.settled("bng1", "bng2", "bng3");
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    rig.time.settle();
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private long entries(String name, Table table) {
    return rig.switches.get(name).content().values().stream()
        .filter(entry -> entry.table() == table)
        .count();
  }

  private static List<String> targets(List<TargetStatus> statuses) {
    return statuses.stream().map(TargetStatus::target).toList();
  }

  private List<Problem> refused(Change change) {
    Outcome outcome = rig.controller.apply(change);
    assertThat(outcome).isInstanceOf(Outcome.Refused.class);
    return ((Outcome.Refused) outcome).problems();
  }

  // ---------------------------------------------------------------- policies

  @Test
  void aPolicyIsAtEverySwitch() {
    Declared gold = rig.controller.find(Kind.POLICY, "gold").orElseThrow();
    assertThat(targets(gold.targets())).containsExactly("bng1", "bng2", "bng3");
    assertThat(gold.targets()).allMatch(status -> status.state() == TargetState.INSTALLED);
    assertThat(gold.switchName()).isEmpty();
    assertThat(entries("bng1", Table.POLICY_VALUE)).isPositive();
    assertThat(entries("bng3", Table.POLICY_VALUE)).isEqualTo(entries("bng1", Table.POLICY_VALUE));
    assertThat(rig.controller.list(Kind.POLICY, Selection.ALL, "", 10).total()).hasValue(1);
  }

  /** Nobody is told the same three times, and what one switch alone says is told as its. */
  @Test
  void whatAllSwitchesSayOfAPolicyIsToldOnce() {
    Change silver = policy("silver", BuiltInFunction.SILVER);
    String bins = "throughputValue: realised in 1024 rate bins";
    for (Outcome outcome : List.of(rig.controller.dryRun(silver), rig.accept(silver))) {
      assertThat(((Outcome.Accepted) outcome).plan().notes())
          .filteredOn(note -> note.contains("realised in"))
          .singleElement(InstanceOfAssertFactories.STRING)
          .startsWith(bins);
    }
    assertThat(rig.controller.find(Kind.POLICY, "silver").orElseThrow().notes())
        .filteredOn(note -> note.contains("realised in"))
        .singleElement(InstanceOfAssertFactories.STRING)
        .startsWith(bins);
    NetworkNotes notes = new NetworkNotes();
    notes.add("bng1", List.of("both say", "one says"));
    notes.add("bng2", List.of("both say"));
    assertThat(notes.merged()).containsExactly("both say", "switch bng1: one says");
  }

  @Test
  void aPolicyThatOneSwitchHasNoRoomForIsAtNone() {
    rig.add("tiny", switchProfile(4, 2));
    rig.open();
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(refused(policy("silver", BuiltInFunction.SILVER)))
        .singleElement()
        .matches(problem -> problem.code() == Problem.Code.CAPACITY)
        .matches(problem -> problem.detail().startsWith("Switch tiny: "));
    assertThat(rig.controller.find(Kind.POLICY, "silver")).isEmpty();
    assertThat(rig.store.of("bng1").policy("silver")).isEmpty();
  }

  @Test
  void aPolicyInUseAtAnySwitchIsNotDeletedAtAny() {
    rig.accept(at("bng3", put("alice", "10.0.0.1/32")));
    assertThat(refused(new Change.Delete(Kind.POLICY, "gold")))
        .singleElement()
        .matches(problem -> problem.code() == Problem.Code.CONFLICT);
    assertThat(rig.store.of("bng1").policy("gold")).isPresent();
    rig.accept(new Change.Delete(Kind.SUBSCRIBER, "alice"));
    rig.accept(new Change.Delete(Kind.POLICY, "gold"));
    rig.time.settle();
    assertThat(entries("bng1", Table.POLICY_VALUE)).isZero();
    assertThat(entries("bng2", Table.POLICY_VALUE)).isZero();
  }

  @Test
  void aSwitchThatIsAddedGetsThePolicies() {
    rig.add("bng4", switchProfile(1000));
    rig.open();
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(targets(rig.controller.find(Kind.POLICY, "gold").orElseThrow().targets()))
        .containsExactly("bng1", "bng2", "bng3", "bng4");
    assertThat(entries("bng4", Table.POLICY_VALUE)).isEqualTo(entries("bng1", Table.POLICY_VALUE));
  }

  @Test
  void ifTheStoreFailsAPolicyIsAtNoSwitch() {
    rig.store.failNext();
    assertThatThrownBy(() -> rig.controller.apply(policy("silver", BuiltInFunction.SILVER)))
        .isInstanceOf(ControllerException.class)
        .hasMessageContaining("no space left");
    assertThat(rig.controller.find(Kind.POLICY, "silver")).isEmpty();
    rig.time.pass(Duration.ofSeconds(10));
    rig.accept(policy("silver", BuiltInFunction.SILVER));
    rig.time.settle();
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  // ---------------------------------------------------------------- subscribers

  @Test
  void aSubscriberIsAtItsSwitchAndAtNoOther() {
    rig.accept(at("bng2", put("alice", "10.0.0.1/32")));
    rig.time.settle();
    Declared alice = rig.controller.find(Kind.SUBSCRIBER, "alice").orElseThrow();
    assertThat(alice.switchName()).hasValue("bng2");
    assertThat(targets(alice.targets())).containsExactly("bng2");
    assertThat(entries("bng1", Table.IPV4_PREFIX)).isZero();
    assertThat(entries("bng2", Table.IPV4_PREFIX)).isEqualTo(1);
    assertThat(rig.controller.counters("alice").join()).isPresent();
    rig.accept(new Change.Delete(Kind.SUBSCRIBER, "alice"));
    assertThat(targets(rig.controller.remaining(Kind.SUBSCRIBER, "alice"))).containsExactly("bng2");
    rig.time.settle();
    assertThat(rig.controller.remaining(Kind.SUBSCRIBER, "alice")).isEmpty();
    assertThat(entries("bng2", Table.IPV4_PREFIX)).isZero();
  }

  @Test
  void aSwitchHasToBeNamedAndToBeThere() {
    assertThat(refused(put("alice", "10.0.0.1/32")))
        .containsExactly(
            Problem.of(
                Problem.Code.INVALID, "attachment.switch", "absent", "one of bng1, bng2, bng3"));
    assertThat(refused(at("bng9", put("alice", "10.0.0.1/32"))))
        .containsExactly(
            Problem.of(
                Problem.Code.INVALID, "attachment.switch", "bng9", "one of bng1, bng2, bng3"));
    assertThat(refused(limit("all", new Scope.OfPort(0), 1_000_000, 0)))
        .containsExactly(
            Problem.of(Problem.Code.INVALID, "scope.switch", "absent", "one of bng1, bng2, bng3"));
  }

  @Test
  void aPrefixThatASubscriberOfAnotherSwitchHasIsRefused() {
    rig.accept(at("bng2", put("alice", "10.0.0.0/24")));
    assertThat(refused(at("bng1", put("bob", "10.9.0.1/32", "10.0.0.7/32"))))
        .containsExactly(
            new Problem(
                Problem.Code.CONFLICT,
                "prefixes[1]",
                "10.0.0.7/32",
                "a prefix that overlaps no other subscriber's",
                "10.0.0.7/32 overlaps a prefix of subscriber alice on switch bng2."));
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "bob")).isEmpty();
  }

  @Test
  void listsAreOfAllSwitchesInOneOrder() {
    List<Change> changes = new ArrayList<>();
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      changes.add(at("bng" + (1 + i % 3), numbered(i)));
      ids.add("sub-" + i);
    }
    assertThat(rig.controller.applyAll(changes)).allMatch(Outcome::isAccepted);
    ids.sort(null);
    Page page = rig.controller.list(Kind.SUBSCRIBER, Selection.ALL, ids.get(4), 10);
    assertThat(page.total()).hasValue(30);
    assertThat(page.items()).extracting(Declared::id).containsExactlyElementsOf(ids.subList(5, 15));
    assertThat(page.next()).hasValue(ids.get(14));
    assertThat(rig.controller.ids(Kind.SUBSCRIBER, "sub-2", 4))
        .containsExactly("sub-2", "sub-20", "sub-21", "sub-22");
  }

  @Test
  void aBulkMayHaveASubscriberWithItsLimitAndOneSubscriberTwice() {
    List<Outcome> outcomes =
        rig.controller.applyAll(
            List.of(
                at("bng2", put("a", "10.0.0.1/32")),
                limit("a-limit", "a"),
                at("bng1", put("b", "10.0.0.2/32")),
                at("bng3", put("b", "10.0.0.2/32"))));
    assertThat(outcomes).allMatch(Outcome::isAccepted);
    assertThat(rig.controller.find(Kind.RATE_LIMIT, "a-limit").orElseThrow().switchName())
        .hasValue("bng2");
    rig.time.settle();
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "b").orElseThrow().switchName())
        .hasValue("bng3");
    assertThat(entries("bng1", Table.IPV4_PREFIX)).isZero();
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  @Test
  void aBulkTellsOutcomesInItsOrder() {
    List<Change> changes =
        List.of(
            at("bng1", put("a", "10.0.0.1/32")),
            at("bng2", put("b", "10.0.0.2/32")),
            at("bng2", put("c", "10.0.0.1/32")),
            limit("a-limit", "a"),
            policy("silver", BuiltInFunction.SILVER),
            at("bng1", put("d", "10.0.0.4/32")),
            at("bng3", put("a", "10.0.0.1/32")),
            new Change.Delete(Kind.SUBSCRIBER, "b"));
    List<Outcome> outcomes = rig.controller.applyAll(changes);
    assertThat(outcomes).extracting(Outcome::change).containsExactlyElementsOf(changes);
    assertThat(outcomes)
        .extracting(Outcome::isAccepted)
        .containsExactly(true, true, false, true, true, true, true, true);
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "a").orElseThrow().switchName())
        .hasValue("bng3");
    assertThat(rig.controller.find(Kind.RATE_LIMIT, "a-limit").orElseThrow().switchName())
        .hasValue("bng3");
    rig.time.settle();
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  // ---------------------------------------------------------------- isolation

  @Test
  void aSwitchThatDoesNotAnswerDelaysNoOther() {
    rig.switches.get("bng1").holdAnswers();
    rig.accept(at("bng1", put("alice", "10.0.0.1/32")));
    rig.accept(at("bng2", put("bob", "10.0.0.2/32")));
    rig.accept(policy("silver", BuiltInFunction.SILVER));
    rig.time.settle();
    assertThat(rig.controller.whenInstalled(Kind.SUBSCRIBER, "bob", Duration.ZERO))
        .isCompletedWithValue(true);
    Declared silver = rig.controller.find(Kind.POLICY, "silver").orElseThrow();
    assertThat(silver.targets())
        .extracting(TargetStatus::state)
        .containsExactly(TargetState.PENDING, TargetState.INSTALLED, TargetState.INSTALLED);
  }

  // ---------------------------------------------------------------- moves

  private long rateWords(String name) {
    return rig.fpga(name, Direction.DOWN).writes().stream()
        .filter(written -> written.entity() instanceof RateWord)
        .count();
  }

  @Test
  void aSubscriberMovesWithItsLimitAndTheOldSwitchWaitsForTheNewOne() {
    rig.accept(at("bng1", put("alice", "10.0.0.1/32")));
    rig.accept(limit("alice-limit", "alice"));
    rig.time.settle();
    rig.switches.get("bng2").holdAnswers();
    final int before = rig.switches.get("bng1").writes().size();
    final long words = rateWords("bng1");

    Outcome.Accepted moved = rig.accept(at("bng2", put("alice", "10.0.0.1/32")));
    assertThat(moved.plan().notes())
        .contains("moves from switch bng1, which goes on until bng2 has it; counters start anew");
    rig.time.settle();
    assertThat(rig.switches.get("bng1").writes()).hasSize(before);
    assertThat(rateWords("bng1")).isEqualTo(words);
    Declared alice = rig.controller.find(Kind.SUBSCRIBER, "alice").orElseThrow();
    assertThat(alice.switchName()).hasValue("bng2");
    assertThat(rig.controller.list(Kind.SUBSCRIBER, Selection.ALL, "", 10).total()).hasValue(1);

    rig.switches.get("bng2").answerAll();
    rig.time.settle();
    assertThat(entries("bng1", Table.IPV4_PREFIX)).isZero();
    assertThat(entries("bng2", Table.IPV4_PREFIX)).isEqualTo(1);
    assertThat(rig.controller.find(Kind.RATE_LIMIT, "alice-limit").orElseThrow().switchName())
        .hasValue("bng2");
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  @Test
  void whatOneSwitchIsToForgetHoldsBackNothingElseThere() {
    rig.accept(at("bng1", put("alice", "10.0.0.1/32")));
    rig.time.settle();
    rig.switches.get("bng2").reachable(false);
    rig.accept(at("bng2", put("alice", "10.0.0.1/32")));
    rig.accept(at("bng1", put("bob", "10.0.0.2/32")));
    rig.time.pass(Duration.ofMinutes(1));
    assertThat(rig.controller.whenInstalled(Kind.SUBSCRIBER, "bob", Duration.ZERO))
        .isCompletedWithValue(true);
    assertThat(entries("bng1", Table.IPV4_PREFIX)).isEqualTo(2);
    rig.switches.get("bng2").reachable(true);
    rig.time.pass(Duration.ofMinutes(1));
    assertThat(entries("bng1", Table.IPV4_PREFIX)).isEqualTo(1);
  }

  @Test
  void aRefusalAtTheNewSwitchLeavesTheOldOneUntouched() {
    rig.add("tiny", switchProfile(1));
    rig.open();
    rig.time.pass(Duration.ofSeconds(1));
    rig.accept(at("tiny", put("carol", "10.0.0.9/32")));
    rig.accept(at("bng1", put("alice", "10.0.0.1/32")));
    rig.accept(limit("alice-limit", "alice"));
    rig.time.settle();
    final int before = rig.switches.get("bng1").writes().size();
    assertThat(refused(at("tiny", put("alice", "10.0.0.1/32"))))
        .extracting(Problem::code)
        .containsOnly(Problem.Code.CAPACITY);
    rig.time.pass(Duration.ofMinutes(1));
    assertThat(rig.switches.get("bng1").writes()).hasSize(before);
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "alice").orElseThrow().switchName())
        .hasValue("bng1");
    assertThat(rig.controller.find(Kind.RATE_LIMIT, "alice-limit")).isPresent();
  }

  @Test
  void aMoveThatTheStoreRefusesLeavesTheSubscriberWhereItWas() {
    rig.accept(at("bng1", put("alice", "10.0.0.1/32")));
    rig.time.settle();
    rig.store.failNext();
    assertThatThrownBy(() -> rig.controller.apply(at("bng2", put("alice", "10.0.0.1/32"))))
        .isInstanceOf(ControllerException.class);
    rig.time.pass(Duration.ofSeconds(10));
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "alice").orElseThrow().switchName())
        .hasValue("bng1");
    assertThat(entries("bng1", Table.IPV4_PREFIX)).isEqualTo(1);
    assertThat(entries("bng2", Table.IPV4_PREFIX)).isZero();
  }

  @Test
  void thereAndBackAgainEndsWithOneOfEach() {
    rig.accept(at("bng1", put("alice", "10.0.0.1/32")));
    rig.time.settle();
    rig.switches.get("bng2").holdAnswers();
    rig.accept(at("bng2", put("alice", "10.0.0.1/32")));
    rig.accept(at("bng1", put("alice", "10.0.0.1/32")));
    rig.time.settle();
    rig.switches.get("bng2").answerAll();
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(entries("bng1", Table.IPV4_PREFIX)).isEqualTo(1);
    assertThat(entries("bng2", Table.IPV4_PREFIX)).isZero();
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
    assertThat(
            rig.switches.get("bng1").writes().stream()
                .filter(w -> w.op() == Op.DELETE)
                .filter(w -> w.entity().table() == Table.IPV4_PREFIX)
                .count())
        .isLessThanOrEqualTo(1);
  }

  @Test
  void afterACrashInAMoveASubscriberIsAtOneSwitch() {
    rig.accept(at("bng1", put("alice", "10.0.0.1/32")));
    rig.time.settle();
    rig.switches.get("bng2").holdAnswers();
    rig.accept(at("bng2", put("alice", "10.0.0.1/32")));
    rig.open();
    rig.switches.get("bng2").answerAll();
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "alice").orElseThrow().switchName())
        .hasValue("bng2");
    assertThat(entries("bng1", Table.IPV4_PREFIX)).isZero();
    assertThat(entries("bng2", Table.IPV4_PREFIX)).isEqualTo(1);
  }

  // ---------------------------------------------------------------- opening

  @Test
  void namesAreUnique() {
    rig.close();
    assertThatThrownBy(() -> NetworkRig.create(new InMemoryNetworkStore()))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("switches is []; allowed: at least one switch");
  }

  @Test
  void anUnknownTargetIsAnsweredWithAllThereAre() {
    assertThatThrownBy(() -> rig.controller.target("bng9"))
        .hasMessageContaining(
            "There is no target bng9; there are: bng1, bng1-fpga-down, bng1-fpga-up,");
    assertThat(rig.controller.switches()).hasSize(3);
  }
}
