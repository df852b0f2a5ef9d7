package net.sluice.core.engine;

import static net.sluice.core.testing.TestNetwork.limit;
import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import net.sluice.core.ControllerEvent;
import net.sluice.core.Declared;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.Outcome;
import net.sluice.core.Page;
import net.sluice.core.Selection;
import net.sluice.core.TargetState;
import net.sluice.core.TargetStatus;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.MemoryTarget.Written;
import net.sluice.core.testing.TestNetwork;
import net.sluice.core.traffic.SubscriberCounters.Traffic;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.Grant;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.TableUse;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.InvalidValueException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SlaControllerTest {
  private ControllerRig rig;

  @BeforeEach
  void open() {
    rig = ControllerRig.settled();
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    rig.time.settle();
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private void assertTargetsAsDeclared() {
    CompactSlaState state = TestNetwork.load(rig.store);
    assertThat(rig.switchTarget.content()).isEqualTo(rig.expectedSwitch(state));
    assertThat(rig.down.content().values())
        .containsExactlyInAnyOrderElementsOf(rig.expectedFpga(state, Direction.DOWN));
    assertThat(rig.up.content().values())
        .containsExactlyInAnyOrderElementsOf(rig.expectedFpga(state, Direction.UP));
  }

  private static List<TargetState> states(List<TargetStatus> statuses) {
    return statuses.stream().map(TargetStatus::state).toList();
  }

  @Test
  void anEmptyTargetIsInitialised() {
    assertTargetsAsDeclared();
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
    assertThat(rig.controller.summary().targets())
        .extracting(t -> t.target())
        .containsExactly("switch", "fpga-down", "fpga-up");
  }

  @Test
  void anAcceptedChangeIsStoredAtOnceAndInstalledSoon() {
    Outcome.Accepted accepted = rig.accept(put("alice", "10.0.0.1/32", "2001:db8::/56"));

    assertThat(rig.store.subscriber("alice")).isPresent();
    assertThat(states(accepted.targets())).containsExactly(TargetState.PENDING);
    rig.time.settle();
    Declared alice = rig.controller.find(Kind.SUBSCRIBER, "alice").orElseThrow();
    assertThat(states(alice.targets())).containsExactly(TargetState.INSTALLED);
    assertThat(rig.controller.whenInstalled(Kind.SUBSCRIBER, "alice", Duration.ZERO))
        .isCompletedWithValue(true);
    assertTargetsAsDeclared();
  }

  @Test
  void aWaitForAnInstallEndsWithTheTargetsAnswerItsTimeOrTheController() {
    rig.switchTarget.holdAnswers();
    rig.accept(put("alice", "10.0.0.1/32"));
    CompletableFuture<Boolean> installed = whenAliceIsInstalled();
    CompletableFuture<Boolean> nobodys =
        rig.controller.whenInstalled(Kind.SUBSCRIBER, "nobody", Duration.ofSeconds(60));
    rig.time.settle();
    assertThat(installed).isNotDone();
    rig.switchTarget.answerAll();
    rig.time.settle();
    assertThat(installed).isCompletedWithValue(true);

    rig.accept(put("alice", "10.0.0.2/32"));
    rig.switchTarget.holdAnswers();
    CompletableFuture<Boolean> timedOut = whenAliceIsInstalled();
    rig.time.pass(Duration.ofSeconds(59));
    assertThat(timedOut).isNotDone();
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(timedOut).isCompletedWithValue(false);
    assertThat(nobodys).isCompletedWithValue(false);

    CompletableFuture<Boolean> cutShort = whenAliceIsInstalled();
    rig.controller.close();
    assertThat(cutShort).isCompletedWithValue(false);
    assertThat(whenAliceIsInstalled()).isCompletedWithValue(false);
  }

  private CompletableFuture<Boolean> whenAliceIsInstalled() {
    return rig.controller.whenInstalled(Kind.SUBSCRIBER, "alice", Duration.ofSeconds(60));
  }

  @Test
  void aRefusedChangeLeavesEverythingAsItWas() {
    int writes = rig.switchTarget.writes().size();

    Outcome outcome =
        rig.controller.apply(
            new Change.Put(
                new Subscriber(
                    "bob",
                    "platinum",
                    List.of(net.sluice.intents.model.IpPrefix.parse("10.0.0.2/32")),
                    java.util.Optional.empty(),
                    new net.sluice.intents.model.Attachment(0, 0))));

    assertThat(outcome).isInstanceOf(Outcome.Refused.class);
    assertThat(((Outcome.Refused) outcome).code()).isEqualTo(Problem.Code.INVALID);
    rig.time.settle();
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "bob")).isEmpty();
    assertThat(rig.store.subscriber("bob")).isEmpty();
    assertThat(rig.switchTarget.writes()).hasSize(writes);
  }

  @Test
  void aDryRunTellsThePlanAndChangesNothing() {
    int writes = rig.switchTarget.writes().size();

    Outcome outcome = rig.controller.dryRun(put("alice", "10.0.0.1/32"));

    assertThat(((Outcome.Accepted) outcome).plan().writes(TargetKey.SWITCH)).hasSize(1);
    assertThat(((Outcome.Accepted) outcome).targets()).isEmpty();
    rig.time.settle();
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "alice")).isEmpty();
    assertThat(rig.store.subscriber("alice")).isEmpty();
    assertThat(rig.switchTarget.writes()).hasSize(writes);
    assertThat(rig.accept(put("alice", "10.0.0.1/32")).plan())
        .isEqualTo(((Outcome.Accepted) outcome).plan());
  }

  @Test
  void changesOfOneBulkSeeEachOther() {
    List<Outcome> outcomes =
        rig.controller.applyAll(
            List.of(
                put("alice", "10.0.0.1/32"),
                put("bob", "10.0.0.0/24"),
                put("alice", "10.0.1.1/32"),
                put("bob", "10.0.0.0/24"),
                limit("alice-cap", "alice"),
                new Change.Delete(Kind.SUBSCRIBER, "bob")));

    assertThat(outcomes)
        .extracting(Outcome::isAccepted)
        .containsExactly(true, false, true, true, true, true);
    rig.time.settle();
    assertTargetsAsDeclared();
    assertThat(rig.controller.list(Kind.SUBSCRIBER, Selection.ALL, "", 10).items())
        .extracting(Declared::id)
        .containsExactly("alice");
  }

  @Test
  void aLimitTellsRequestedAndGrantedAndItsTargets() {
    rig.accept(put("alice", "10.0.0.1/32"));
    rig.accept(limit("alice-cap", "alice"));
    rig.time.settle();

    Declared limit = rig.controller.find(Kind.RATE_LIMIT, "alice-cap").orElseThrow();
    assertThat(limit.grants())
        .extracting(Grant::field, Grant::requested, Grant::granted)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("downBps", 50e6, 50_080_128.0),
            org.assertj.core.groups.Tuple.tuple("upBps", 10e6, 10_016_026.0));
    assertThat(limit.targets())
        .extracting(TargetStatus::target)
        .containsExactly("switch", "fpga-down", "fpga-up");
    assertThat(limit.targets()).allMatch(t -> t.state() == TargetState.INSTALLED);
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "alice").orElseThrow().targets())
        .extracting(TargetStatus::target)
        .containsExactly("switch", "fpga-down", "fpga-up");
    assertThat(rig.controller.rateLimitOf(new Scope.OfSubscriber("alice"), Optional.empty()))
        .map(Declared::id)
        .contains("alice-cap");
    assertTargetsAsDeclared();
  }

  @Test
  void theSwitchSendsNothingToTheFpgaBeforeTheLimitIsSet() {
    rig.accept(put("alice", "10.0.0.1/32"));
    rig.time.settle();
    rig.down.holdAnswers();
    int before = rig.switchTarget.writes().size();

    rig.accept(limit("alice-cap", "alice"));
    rig.time.settle();
    assertThat(rig.switchTarget.writes()).hasSize(before);

    rig.down.answerAll();
    rig.time.settle();
    assertThat(rig.switchTarget.writes()).hasSize(before + 1);
    assertTargetsAsDeclared();
  }

  @Test
  void anFpgaThatIsGoneDoesNotHoldTheSwitchUp() {
    rig.accept(put("alice", "10.0.0.1/32"));
    rig.time.settle();
    rig.down.holdAnswers();
    int before = rig.switchTarget.writes().size();
    rig.accept(limit("alice-cap", "alice"));
    rig.time.settle();

    rig.down.reachable(false);
    rig.time.settle();

    assertThat(rig.switchTarget.writes()).hasSize(before + 1);
    List<TargetStatus> statuses =
        rig.controller.find(Kind.RATE_LIMIT, "alice-cap").orElseThrow().targets();
    assertThat(states(statuses))
        .containsExactly(TargetState.INSTALLED, TargetState.PENDING, TargetState.INSTALLED);
    assertThat(statuses.get(1).error()).contains("unreachable");
    assertThat(statuses.get(1).next()).isPresent();

    rig.down.answerAll();
    rig.down.reachable(true);
    rig.time.pass(Duration.ofSeconds(1));
    assertTargetsAsDeclared();
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  @Test
  void theTargetsWordsReachTheStatusAndTheWriteIsTriedAgain() {
    rig.switchTarget.refuse(
        (op, entry) ->
            op == Op.INSERT && entry instanceof SubscriberPrefixEntry
                ? "RESOURCE_EXHAUSTED: table full"
                : "");
    rig.accept(put("alice", "10.0.0.1/32"));
    rig.time.settle();

    TargetStatus failed =
        rig.controller.find(Kind.SUBSCRIBER, "alice").orElseThrow().targets().get(0);
    assertThat(failed.state()).isEqualTo(TargetState.FAILED);
    assertThat(failed.error()).contains("RESOURCE_EXHAUSTED: table full");
    assertThat(failed.next()).contains(rig.time.instant().plusSeconds(30));
    assertThat(rig.controller.summary().target("switch").orElseThrow().failed()).isEqualTo(1);

    rig.switchTarget.refuse((op, entry) -> "");
    rig.time.pass(Duration.ofSeconds(31));
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
    assertTargetsAsDeclared();
  }

  @Test
  void whatWasRefusedIsWrittenWithTheNextChange() {
    rig.switchTarget.refuse((op, entry) -> op == Op.INSERT ? "RESOURCE_EXHAUSTED" : "");
    rig.accept(put("alice", "10.0.0.1/32", "10.0.0.2/32"));
    rig.time.settle();
    rig.switchTarget.refuse((op, entry) -> "");

    // Only the third prefix is in the plan, because the first two were accepted before.
    rig.accept(put("alice", "10.0.0.1/32", "10.0.0.2/32", "10.0.0.3/32"));
    rig.time.settle();

    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
    assertTargetsAsDeclared();
  }

  @Test
  void theRetryWaitsLongerEachTime() {
    rig.switchTarget.refuse((op, entry) -> entry instanceof SubscriberPrefixEntry ? "no" : "");
    rig.accept(put("alice", "10.0.0.1/32"));
    rig.time.settle();
    int reads = rig.switchTarget.reads();
    rig.time.pass(Duration.ofSeconds(30));
    assertThat(rig.switchTarget.reads()).isEqualTo(reads + 1);
    rig.time.pass(Duration.ofSeconds(59));
    assertThat(rig.switchTarget.reads()).isEqualTo(reads + 1);
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(rig.switchTarget.reads()).isEqualTo(reads + 2);
    assertThat(rig.controller.summary().target("switch").orElseThrow().failed()).isEqualTo(1);
  }

  @Test
  void changesWhileTheSwitchIsGoneAreInstalledWhenItIsBack() {
    rig.accept(put("alice", "10.0.0.1/32"));
    rig.time.settle();
    rig.switchTarget.reachable(false);
    rig.time.settle();

    rig.accept(put("alice", "10.0.0.7/32"));
    rig.accept(put("bob", "10.0.0.1/32"));
    assertThat(rig.controller.summary().target("switch").orElseThrow().session())
        .isEqualTo(SessionState.CONNECTING);
    TargetStatus pending =
        rig.controller.find(Kind.SUBSCRIBER, "bob").orElseThrow().targets().get(0);
    assertThat(pending.state()).isEqualTo(TargetState.PENDING);
    assertThat(pending.error()).contains("unreachable");

    rig.time.pass(Duration.ofSeconds(60));
    rig.switchTarget.reachable(true);
    rig.time.pass(Duration.ofSeconds(10));
    assertTargetsAsDeclared();
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  @Test
  void aSessionLostInTheMiddleOfABatchLosesNothing() {
    rig.switchTarget.holdAnswers();
    for (int i = 0; i < 100; i++) {
      rig.accept(put("s" + i, "10.0.1." + i + "/32"));
      rig.time.settle();
    }
    rig.switchTarget.reachable(false);
    rig.switchTarget.answerAll();
    rig.switchTarget.reachable(true);
    rig.time.pass(Duration.ofSeconds(1));

    assertTargetsAsDeclared();
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  @Test
  void pagesAreOrderedById() {
    for (String id : List.of("c", "B", "a-1", "a.1", "a", "0")) {
      rig.accept(put(id, "10.0.0." + (id.hashCode() & 0xff) + "/32"));
    }
    assertThat(rig.controller.list(Kind.SUBSCRIBER, Selection.ALL, "", 1000).items())
        .extracting(Declared::id)
        .containsExactly("0", "B", "a", "a-1", "a.1", "c");
    Page page = rig.controller.list(Kind.SUBSCRIBER, Selection.ALL, "B", 3);
    assertThat(page.items()).extracting(Declared::id).containsExactly("a", "a-1", "a.1");
    assertThat(page.next()).hasValue("a.1");
    assertThat(page.total()).hasValue(6);
    assertThat(rig.controller.list(Kind.SUBSCRIBER, Selection.ALL, "a.1", 1).next()).isEmpty();
    assertThat(rig.controller.list(Kind.SUBSCRIBER, Selection.ALL, "c", 3).items()).isEmpty();
    assertThat(rig.controller.list(Kind.POLICY, Selection.ALL, "", 5).items())
        .extracting(Declared::id)
        .containsExactly("gold");
    assertThat(rig.controller.list(Kind.RATE_LIMIT, Selection.ALL, "", 5).items()).isEmpty();
    assertThatThrownBy(() -> rig.controller.list(Kind.SUBSCRIBER, Selection.ALL, "", 1001))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("limit is 1001; allowed: 1 to 1000");
  }

  @Test
  void idsAreFoundByHowTheyBegin() {
    for (String id : List.of("c", "B", "a-1", "a.1", "a", "0", "ab")) {
      rig.accept(put(id, "10.0.0." + (id.hashCode() & 0xff) + "/32"));
    }
    rig.accept(limit("a-cap", "a"));
    assertThat(rig.controller.ids(Kind.SUBSCRIBER, "", 1000))
        .containsExactly("0", "B", "a", "a-1", "a.1", "ab", "c");
    assertThat(rig.controller.ids(Kind.SUBSCRIBER, "a", 3)).containsExactly("a", "a-1", "a.1");
    assertThat(rig.controller.ids(Kind.SUBSCRIBER, "a", 1)).containsExactly("a");
    assertThat(rig.controller.ids(Kind.SUBSCRIBER, "a.", 3)).containsExactly("a.1");
    assertThat(rig.controller.ids(Kind.SUBSCRIBER, "A", 3)).isEmpty();
    assertThat(rig.controller.ids(Kind.POLICY, "g", 3)).containsExactly("gold");
    assertThat(rig.controller.ids(Kind.RATE_LIMIT, "a", 3)).containsExactly("a-cap");
    assertThatThrownBy(() -> rig.controller.ids(Kind.POLICY, "", 0))
        .isInstanceOf(InvalidValueException.class);
  }

  @Test
  void countersAreThoseOfTheSubscribersIndex() {
    rig.accept(put("alice", "10.0.0.1/32"));
    rig.accept(put("bob", "10.0.0.2/32"));
    assertThat(rig.controller.counters("bob").join().orElseThrow().of(Direction.DOWN))
        .isEqualTo(new Traffic(2, 2, 3, 4));
    assertThat(rig.controller.counters("carol").join()).isEmpty();
  }

  @Test
  void tableUseCountsWhatDeclarationsTake() {
    rig.accept(put("alice", "10.0.0.1/32", "2001:db8::/56"));
    assertThat(rig.controller.switches().get(0).tables())
        .contains(
            new TableUse("subscribers", 1, 100_000),
            new TableUse("policies", 1, 63),
            new TableUse("ipv4-prefixes", 1, 200_000),
            new TableUse("ipv6-prefixes", 1, 200_000),
            new TableUse("vlans", 0, 100_000));
  }

  @Test
  void listenersAreToldOfChangesStatusesAndReconciliations() {
    rig.events.clear();
    Change change = put("alice", "10.0.0.1/32");
    rig.accept(change);
    rig.time.settle();
    assertThat(rig.events)
        .containsExactly(
            new ControllerEvent.ChangeAccepted(change),
            new ControllerEvent.StatusChanged(
                Kind.SUBSCRIBER,
                "alice",
                "switch",
                TargetState.INSTALLED,
                java.util.Optional.empty()));

    rig.events.clear();
    rig.controller.reconcile();
    rig.time.settle();
    assertThat(rig.events)
        .filteredOn(e -> e instanceof ControllerEvent.Reconciled)
        .extracting(e -> ((ControllerEvent.Reconciled) e).target())
        .containsExactlyInAnyOrder("switch", "fpga-down", "fpga-up");
  }

  @Test
  void aDeletedSubscriberLeavesNothingAndItsIndexIsUsedAgain() {
    rig.accept(put("alice", "10.0.0.1/32"));
    rig.time.settle();
    rig.accept(new Change.Delete(Kind.SUBSCRIBER, "alice"));
    rig.accept(put("bob", "10.0.0.1/32"));
    rig.time.settle();
    assertTargetsAsDeclared();
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "alice")).isEmpty();
    assertThat(rig.store.subscriber("bob").orElseThrow().index()).isEqualTo(1);
    assertThat(rig.controller.summary().target("switch").orElseThrow().installed()).isEqualTo(2);
  }

  @Test
  void aWriteNeverOvertakesAnEarlierOneOfTheSameKey() {
    rig.switchTarget.holdAnswers();
    rig.accept(put("alice", "10.0.0.1/32"));
    rig.time.settle();
    rig.accept(put("alice", "10.0.0.2/32"));
    rig.time.settle();
    rig.accept(put("bob", "10.0.0.1/32"));
    rig.accept(put("carol", "10.0.0.9/32"));
    rig.time.settle();

    // Alice's second change and Bob's take-over of her address wait; Carol's does not.
    List<Written<SwitchEntry>> sent = rig.switchTarget.writes();
    assertThat(sent.subList(sent.size() - 2, sent.size()))
        .extracting(w -> ((SubscriberPrefixEntry) w.entity()).prefix().toString())
        .containsExactly("10.0.0.1/32", "10.0.0.9/32");

    rig.switchTarget.answerAll();
    rig.time.settle();
    assertTargetsAsDeclared();
  }

  @Test
  void theLastWriteOfADeletedSubscriberRetiresItsIndex() {
    rig.accept(put("alice", "10.0.0.1/32", "10.0.0.2/32"));
    rig.accept(put("alice", "10.0.0.1/32"));
    rig.time.settle();
    assertThat(rig.switchTarget.writes()).noneMatch(Written::retires);
    int before = rig.switchTarget.writes().size();
    rig.accept(put("alice", "10.0.0.1/32", "10.0.0.2/32"));
    rig.accept(new Change.Delete(Kind.SUBSCRIBER, "alice"));
    rig.time.settle();
    List<Written<SwitchEntry>> writes = rig.switchTarget.writes();
    assertThat(writes.subList(before, writes.size()))
        .extracting(Written::op, Written::retires)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(Op.INSERT, false),
            org.assertj.core.groups.Tuple.tuple(Op.DELETE, false),
            org.assertj.core.groups.Tuple.tuple(Op.DELETE, true));
  }

  @Test
  void attemptsToConnectComeSlowerAndSlower() {
    int before = rig.switchTarget.connects();
    rig.switchTarget.reachable(false);
    // After 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4 s, and then every 10 s.
    rig.time.pass(Duration.ofMillis(99));
    assertThat(rig.switchTarget.connects()).isEqualTo(before);
    rig.time.pass(Duration.ofMillis(1));
    assertThat(rig.switchTarget.connects()).isEqualTo(before + 1);
    rig.time.pass(Duration.ofMillis(12_600));
    assertThat(rig.switchTarget.connects()).isEqualTo(before + 7);
    rig.time.pass(Duration.ofSeconds(30));
    assertThat(rig.switchTarget.connects()).isEqualTo(before + 10);
    rig.switchTarget.reachable(true);
    rig.time.pass(Duration.ofSeconds(10));
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  @Test
  void settingsThatTheFpgaRefusesReachTheLimitsStatus() {
    rig.accept(put("alice", "10.0.0.1/32"));
    rig.down.refuse(
        (op, setting) -> setting instanceof FpgaSetting.RateWord ? "INTERNAL: bus error" : "");
    rig.accept(limit("alice-cap", "alice"));
    rig.time.settle();
    List<TargetStatus> statuses =
        rig.controller.find(Kind.RATE_LIMIT, "alice-cap").orElseThrow().targets();
    assertThat(states(statuses))
        .containsExactly(TargetState.INSTALLED, TargetState.FAILED, TargetState.INSTALLED);
    assertThat(statuses.get(1).error()).contains("INTERNAL: bus error");
    assertThat(states(rig.controller.find(Kind.SUBSCRIBER, "alice").orElseThrow().targets()))
        .containsExactly(TargetState.INSTALLED, TargetState.FAILED, TargetState.INSTALLED);
  }
}
