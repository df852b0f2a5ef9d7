package net.sluice.core.network;

import static net.sluice.core.testing.NetworkRig.at;
import static net.sluice.core.testing.TestNetwork.limit;
import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import net.sluice.core.Declared;
import net.sluice.core.Outcome;
import net.sluice.core.Selection;
import net.sluice.core.engine.SlaController;
import net.sluice.core.shard.SwitchShard;
import net.sluice.core.store.InMemoryNetworkStore;
import net.sluice.core.testing.MemoryTarget;
import net.sluice.core.testing.NetworkRig;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.plan.Precondition;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Moves between switches, while whatever can happen to the old or the new one happens. */
class MoveTest {
  private NetworkRig rig;

  @BeforeEach
  void declare() {
    rig = NetworkRig.settled("bng1", "bng2", "bng3");
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    rig.accept(at("bng1", put("alice", "10.0.0.1/32")));
    rig.accept(limit("alice-limit", "alice"));
    rig.time.pass(Duration.ofSeconds(1));
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private MemoryTarget<SwitchEntry> target(String name) {
    return rig.switches.get(name);
  }

  private long prefixes(String name) {
    return target(name).content().values().stream()
        .filter(entry -> entry.table() == Table.IPV4_PREFIX)
        .count();
  }

  /** Customers that are limited at a switch. */
  private long limited(String name) {
    return rig.fpga(name, Direction.DOWN).content().values().stream()
        .filter(setting -> setting instanceof RateWord word && word.word() != unlimited(name))
        .count();
  }

  private int unlimited(String name) {
    return rig.fpga(name, Direction.DOWN).content().values().stream()
        .filter(setting -> setting instanceof RateWord)
        .mapToInt(FpgaSetting::value)
        .max()
        .orElseThrow();
  }

  private void assertServedAt(String name) {
    assertThat(prefixes(name)).as("prefixes at " + name).isEqualTo(1);
    assertThat(limited(name)).as("limits at " + name).isEqualTo(1);
  }

  private void assertForgottenAt(String name) {
    assertThat(prefixes(name)).as("prefixes at " + name).isZero();
    assertThat(limited(name)).as("limits at " + name).isZero();
  }

  /** Moves alice to bng2, which is away. */
  private void moveAway() {
    target("bng2").reachable(false);
    rig.time.pass(Duration.ofSeconds(1));
    rig.accept(at("bng2", put("alice", "10.0.0.1/32")));
    rig.time.pass(Duration.ofSeconds(5));
    assertServedAt("bng1");
  }

  private void comeBack() {
    target("bng2").reachable(true);
    rig.time.pass(Duration.ofMinutes(1));
    assertServedAt("bng2");
    assertForgottenAt("bng1");
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  private void assertNoDrift(String name) throws Refusal {
    rig.controller.reconcile(name);
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(rig.controller.drift(name).compared().tables()).isEmpty();
  }

  @Test
  void aSessionLostAtTheOldSwitchTakesNothing() throws Refusal {
    moveAway();
    target("bng1").reachable(false);
    rig.time.pass(Duration.ofSeconds(1));
    target("bng1").reachable(true);
    rig.time.pass(Duration.ofMinutes(1));
    assertServedAt("bng1");
    assertNoDrift("bng1");
    comeBack();
  }

  @Test
  void anExportHasWhatMovesOnceAndAtItsNewSwitch() {
    rig.accept(at("bng3", put("bob", "10.0.0.2/32")));
    moveAway();
    List<Change.Put> exported = new ArrayList<>();
    rig.controller.export(each -> exported.add(each.put()));
    assertThat(exported)
        .extracting(Change.Put::kind, Change.Put::id, Change.Put::switchName)
        .containsExactly(
            tuple(Kind.POLICY, "gold", Optional.empty()),
            tuple(Kind.SUBSCRIBER, "alice", Optional.of("bng2")),
            tuple(Kind.SUBSCRIBER, "bob", Optional.of("bng3")),
            tuple(Kind.RATE_LIMIT, "alice-limit", Optional.of("bng2")));
  }

  @Test
  void theOldSwitchCanBePutAgain() throws Refusal {
    moveAway();
    boolean unused = rig.controller.put(rig.member("bng1"));
    rig.time.pass(Duration.ofMinutes(1));
    assertServedAt("bng1");
    assertNoDrift("bng1");
    comeBack();
  }

  @Test
  void theNewSwitchCanBePutAgain() throws Refusal {
    moveAway();
    boolean unused = rig.controller.put(rig.member("bng2"));
    rig.time.pass(Duration.ofMinutes(1));
    assertServedAt("bng1");
    comeBack();
  }

  @Test
  void theControllerCanStartAgain() throws Refusal {
    moveAway();
    rig.open();
    rig.time.pass(Duration.ofMinutes(1));
    assertServedAt("bng1");
    assertNoDrift("bng1");
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "alice").orElseThrow().leaving()).hasSize(1);
    comeBack();
  }

  @Test
  void theOldSwitchGetsAgainWhatItHasLost() {
    moveAway();
    target("bng1").content().clear();
    rig.controller.reconcile();
    rig.time.pass(Duration.ofMinutes(1));
    assertServedAt("bng1");
    comeBack();
  }

  @Test
  void comparingTheOldSwitchOverAndOverCostsNothing() {
    moveAway();
    int before = target("bng1").writes().size();
    for (int i = 0; i < 1_000; i++) {
      rig.controller.reconcile();
      rig.time.pass(Duration.ofMillis(10));
    }
    assertThat(rig.controller.summary().target("bng1").orElseThrow().queuedWrites()).isZero();
    assertThat(target("bng1").writes()).hasSize(before);
    comeBack();
  }

  @Test
  void whatIsLeftAndWhyIsShown() {
    moveAway();
    Declared alice = rig.controller.find(Kind.SUBSCRIBER, "alice").orElseThrow();
    assertThat(alice.switchName()).hasValue("bng2");
    assertThat(alice.leaving())
        .singleElement()
        .matches(each -> each.switchName().equals("bng1") && each.waitsFor().equals("bng2"))
        .matches(each -> each.since().isBefore(rig.time.instant()));
    assertThat(rig.controller.switches().get(0).leaving()).isEqualTo(1);
    assertThat(rig.controller.summary().isAllInstalled()).isFalse();
    assertThat(rig.controller.list(Kind.SUBSCRIBER, Selection.ALL, "", 10).total()).hasValue(1);
    assertThat(rig.controller.list(Kind.SUBSCRIBER, Selection.ALL, "", 10).items()).hasSize(1);
    assertThat(rig.controller.list(Kind.RATE_LIMIT, Selection.ALL, "", 10).items()).hasSize(1);
    assertThat(rig.controller.ids(Kind.SUBSCRIBER, "al", 10)).containsExactly("alice");
    comeBack();
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "alice").orElseThrow().leaving()).isEmpty();
  }

  @Test
  void whoIsDeletedIsGoneEverywhere() {
    moveAway();
    rig.accept(new Change.Delete(Kind.RATE_LIMIT, "alice-limit"));
    rig.accept(new Change.Delete(Kind.SUBSCRIBER, "alice"));
    rig.time.pass(Duration.ofSeconds(1));
    assertForgottenAt("bng1");
    target("bng2").reachable(true);
    rig.time.pass(Duration.ofMinutes(1));
    assertForgottenAt("bng2");
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  @Test
  void whoMovesOnIsServedByTheFirstUntilTheLastDoes() {
    moveAway();
    target("bng3").holdAnswers();
    rig.accept(at("bng3", put("alice", "10.0.0.1/32")));
    rig.time.pass(Duration.ofSeconds(5));
    assertServedAt("bng1");
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "alice").orElseThrow().leaving())
        .extracting(Declared.LeavingAt::switchName, Declared.LeavingAt::waitsFor)
        .containsExactly(tuple("bng1", "bng3"), tuple("bng2", "bng3"));
    target("bng3").answerAll();
    rig.time.pass(Duration.ofMinutes(1));
    assertServedAt("bng3");
    assertForgottenAt("bng1");
    target("bng2").reachable(true);
    rig.time.pass(Duration.ofMinutes(1));
    assertForgottenAt("bng2");
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  @Test
  void whoComesBackIsServedAsDeclaredLast() {
    moveAway();
    rig.accept(new Change.Delete(Kind.RATE_LIMIT, "alice-limit"));
    rig.accept(limit("other-limit", "alice"));
    rig.accept(at("bng1", put("alice", "10.0.0.1/32", "10.0.0.2/32")));
    rig.time.pass(Duration.ofSeconds(5));
    assertThat(prefixes("bng1")).isEqualTo(2);
    assertThat(rig.controller.find(Kind.RATE_LIMIT, "alice-limit")).isEmpty();
    assertThat(rig.controller.find(Kind.RATE_LIMIT, "other-limit").orElseThrow().switchName())
        .hasValue("bng1");
    assertThat(limited("bng1")).isEqualTo(1);
    target("bng2").reachable(true);
    rig.time.pass(Duration.ofMinutes(1));
    assertForgottenAt("bng2");
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  @Test
  void manyMovesBothWaysEnd() {
    for (int i = 0; i < 24; i++) {
      rig.accept(at(i % 2 == 0 ? "bng1" : "bng2", put("s" + i, "10.1.0." + i + "/32")));
      rig.accept(limit("l" + i, "s" + i));
    }
    rig.time.pass(Duration.ofSeconds(1));
    for (int i = 0; i < 24; i++) {
      rig.accept(at(i % 2 == 0 ? "bng2" : "bng1", put("s" + i, "10.1.0." + i + "/32")));
    }
    rig.time.pass(Duration.ofSeconds(2));
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
    assertThat(prefixes("bng1")).isEqualTo(13);
    assertThat(prefixes("bng2")).isEqualTo(12);
  }

  @Test
  void aPrefixThatIsStillServedIsNotGivenToAnotherThere() {
    moveAway();
    rig.accept(at("bng2", put("alice", "10.0.0.9/32")));
    Outcome bob = rig.controller.apply(at("bng1", put("bob", "10.0.0.1/32")));
    assertThat(((Outcome.Refused) bob).problems())
        .extracting(Problem::detail)
        .containsExactly(
            "10.0.0.1/32 overlaps a prefix of subscriber alice, who is served here until switch"
                + " bng2 does.");
    rig.accept(at("bng3", put("bob", "10.0.0.1/32")));
  }

  @Test
  void aLimitThatIsStillServedIsNotGivenToAnotherThere() {
    moveAway();
    rig.accept(new Change.Delete(Kind.RATE_LIMIT, "alice-limit"));
    rig.accept(at("bng1", put("bob", "10.0.0.2/32")));
    Outcome outcome = rig.controller.apply(limit("alice-limit", "bob"));
    assertThat(((Outcome.Refused) outcome).problems())
        .extracting(Problem::detail)
        .containsExactly(
            "Rate limit alice-limit still limits subscriber alice at switch bng1, which the"
                + " subscriber leaves; try again when the move is over.");

    Outcome wrong =
        rig.controller.apply(
            new Change.Put(
                new RateLimit(
                    "alice-limit",
                    new Scope.OfPort(7),
                    OptionalLong.of(1_000_000),
                    OptionalLong.empty(),
                    OptionalInt.empty(),
                    Optional.empty()),
                Optional.of("bng1")));
    assertThat(((Outcome.Refused) wrong).code()).isEqualTo(Problem.Code.INVALID);
    assertThat(((Outcome.Refused) wrong).problems())
        .extracting(Problem::field)
        .containsExactly("scope.port");
  }

  @Test
  void whoWasDeletedWhileTheOldSwitchWasAwayIsForgottenThereToo() {
    moveAway();
    target("bng2").reachable(true);
    rig.open(List.of("bng2", "bng3"));
    rig.time.pass(Duration.ofSeconds(5));
    rig.accept(new Change.Delete(Kind.RATE_LIMIT, "alice-limit"));
    rig.accept(new Change.Delete(Kind.SUBSCRIBER, "alice"));
    rig.open();
    rig.time.pass(Duration.ofMinutes(1));
    assertForgottenAt("bng1");
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  @Test
  void whoMovedOnWhileTheOldSwitchWasAwayIsForgottenThereOnceServed() {
    moveAway();
    rig.open(List.of("bng2", "bng3"));
    target("bng3").reachable(false);
    rig.accept(at("bng3", put("alice", "10.0.0.1/32")));
    rig.open();
    rig.time.pass(Duration.ofMinutes(1));
    assertServedAt("bng1");
    target("bng3").reachable(true);
    rig.time.pass(Duration.ofMinutes(1));
    assertServedAt("bng3");
    assertForgottenAt("bng1");
  }

  @Test
  void whoIsInForceNowhereIsGivenNoLimit() {
    moveAway();
    rig.open(List.of("bng1", "bng3"));
    rig.time.pass(Duration.ofSeconds(5));
    Outcome refused = rig.controller.apply(limit("other-limit", "alice"));
    assertThat(((Outcome.Refused) refused).problems())
        .extracting(Problem::code)
        .containsExactly(Problem.Code.INVALID);
    assertServedAt("bng1");
    rig.open();
    comeBack();
  }

  @Test
  void theLimitOfWhoeverLeavesIsNotDeletedTwice() {
    moveAway();
    rig.accept(new Change.Delete(Kind.RATE_LIMIT, "alice-limit"));
    Outcome again = rig.controller.apply(new Change.Delete(Kind.RATE_LIMIT, "alice-limit"));
    assertThat(((Outcome.Refused) again).problems())
        .extracting(Problem::code)
        .containsExactly(Problem.Code.NOT_FOUND);
    rig.time.pass(Duration.ofSeconds(1));
    assertServedAt("bng1");
  }

  @Test
  void aLimitDoesNotMoveToWhereItStillLimitsAnother() {
    moveAway();
    rig.accept(new Change.Delete(Kind.RATE_LIMIT, "alice-limit"));
    rig.accept(at("bng3", put("bob", "10.0.0.2/32")));
    rig.accept(limit("alice-limit", "bob"));
    Change move = at("bng1", put("bob", "10.0.0.2/32"));
    Outcome refused = rig.controller.apply(move);
    assertThat(((Outcome.Refused) refused).problems())
        .extracting(Problem::code)
        .containsExactly(Problem.Code.CONFLICT);
    assertThat(rig.controller.dryRun(move)).isEqualTo(refused);
    rig.time.pass(Duration.ofSeconds(1));
    assertServedAt("bng1");
    assertServedAt("bng3");
    target("bng2").reachable(true);
    rig.time.pass(Duration.ofMinutes(1));
    rig.accept(move);
  }

  /** Whichever of the two switches is read first: the new one by name, and the old one. */
  @ParameterizedTest
  @ValueSource(strings = {"bng1", "bng3"})
  void aMoveThatSeemedToFailAndDidNotIsWholeOnceTheStoreIsBack(String name) {
    rig.accept(at("bng2", put("alice", "10.0.0.1/32")));
    rig.time.pass(Duration.ofSeconds(1));
    rig.store.breakNext(InMemoryNetworkStore.Fate.KEPT);
    assertThatThrownBy(() -> rig.controller.apply(at(name, put("alice", "10.0.0.1/32"))))
        .hasMessageContaining("no space left");
    for (int i = 0; i < 60; i++) {
      rig.time.pass(Duration.ofMillis(10));
      assertThat(rig.controller.find(Kind.SUBSCRIBER, "alice")).isPresent();
    }
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "alice").orElseThrow().switchName())
        .hasValue(name);
    assertThat(rig.controller.conflicts()).isZero();
    assertServedAt(name);
    assertForgottenAt("bng2");
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  @Test
  void aSwitchThatServesThoseWhoLeaveStays() {
    moveAway();
    assertThatThrownBy(() -> rig.controller.remove("bng1"))
        .hasMessage(
            "CONFLICT: Switch bng1 is in use: it serves 1 of those who leave it, such as alice"
                + " until switch bng2 does.");
  }

  @Test
  void aDryRunTellsTheWritesAtBothAndChangesNothing() {
    int before = target("bng1").writes().size() + target("bng2").writes().size();
    Outcome.Accepted outlook =
        (Outcome.Accepted) rig.controller.dryRun(at("bng2", put("alice", "10.0.0.1/32")));
    assertThat(outlook.plans())
        .extracting(Outcome.SwitchPlan::switchName)
        .containsExactly("bng2", "bng2", "bng1", "bng1");
    assertThat(outlook.plans().get(1).plan().writes(TargetKey.fpga(Direction.DOWN))).isNotEmpty();
    assertThat(outlook.plans().get(3).plan().writes(TargetKey.SWITCH)).isNotEmpty();
    rig.time.pass(Duration.ofSeconds(5));
    assertThat(target("bng1").writes().size() + target("bng2").writes().size()).isEqualTo(before);
    assertServedAt("bng1");
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "alice").orElseThrow().switchName())
        .hasValue("bng1");
    Outcome.Accepted made =
        (Outcome.Accepted) rig.controller.apply(at("bng2", put("alice", "10.0.0.1/32")));
    assertThat(outlook.plan().notes())
        .isEqualTo(made.plan().notes())
        .anySatisfy(note -> assertThat(note).startsWith("limited by "));
    rig.time.pass(Duration.ofSeconds(5));
    assertServedAt("bng2");
    assertForgottenAt("bng1");
  }

  @Test
  void aMoveTellsTheLimitsAtTheNewSwitchOnce() {
    rig.accept(
        at(
            "bng2",
            new Change.Put(
                new RateLimit(
                    "tree",
                    new Scope.OfTree(0, 3),
                    OptionalLong.of(50_000_000),
                    OptionalLong.empty(),
                    OptionalInt.empty(),
                    Optional.empty()))));
    Outcome.Accepted moved =
        (Outcome.Accepted) rig.controller.apply(at("bng2", put("alice", "10.0.0.1/32")));
    assertThat(moved.plan().notes())
        .filteredOn(note -> note.startsWith("limited by "))
        .containsExactly(
            "limited by rate limit alice-limit of subscriber alice,"
                + " rate limit tree of port 0 tree 3");
  }

  @Test
  void aMoveRefusedForItsLimitChangesNothingAndReadsNothingAgain() {
    // The only tree of bng2 that alice can be in has no queue left.
    for (int i = 0; i < 64; i++) {
      rig.accept(at("bng2", put("s" + i, "10.1.0." + i + "/32")));
      rig.accept(limit("l" + i, "s" + i));
    }
    rig.time.pass(Duration.ofSeconds(1));
    int reads = target("bng1").reads() + target("bng2").reads();
    Change move = at("bng2", put("alice", "10.0.0.1/32"));
    assertThat(rig.controller.dryRun(move)).isInstanceOf(Outcome.Refused.class);
    Outcome refused = rig.controller.apply(move);
    assertThat(((Outcome.Refused) refused).problems())
        .extracting(Problem::code)
        .containsExactly(Problem.Code.CAPACITY);
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(target("bng1").reads() + target("bng2").reads()).isEqualTo(reads);
    assertServedAt("bng1");
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
    assertThat(rig.controller.list(Kind.SUBSCRIBER, Selection.ALL, "", 1).total()).hasValue(65);
    rig.accept(new Change.Delete(Kind.RATE_LIMIT, "l0"));
    rig.accept(move);
    rig.time.pass(Duration.ofSeconds(2));
    assertForgottenAt("bng1");
  }

  @Test
  void aBulkIsMadeInItsOrderAcrossSwitches() {
    List<Outcome> outcomes =
        rig.controller.applyAll(
            List.of(
                at("bng2", put("bob", "10.0.0.1/32")),
                new Change.Delete(Kind.RATE_LIMIT, "alice-limit"),
                new Change.Delete(Kind.SUBSCRIBER, "alice"),
                at("bng2", put("carol", "10.0.0.1/32")),
                at("bng3", put("dave", "10.0.0.1/32"))));
    assertThat(outcomes)
        .extracting(Outcome::isAccepted)
        .containsExactly(false, true, true, true, false);
  }

  @Test
  void whatASwitchLeavesForOneThatIsNotThereWaits() {
    moveAway();
    rig.close();
    MemoryTarget<SwitchEntry> away = rig.switches.remove("bng2");
    rig.open();
    rig.time.pass(Duration.ofMinutes(1));
    assertServedAt("bng1");
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "alice")).isEmpty();
    rig.accept(at("bng1", put("alice", "10.0.0.1/32")));
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(prefixes("bng1")).isEqualTo(1);
    // bng2 was away while alice was declared anew.
    rig.switches.put("bng2", away);
    away.reachable(true);
    rig.open();
    rig.time.pass(Duration.ofMinutes(1));
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "alice").orElseThrow().switchName())
        .hasValue("bng1");
    assertThat(prefixes("bng1")).isEqualTo(1);
    assertThat(prefixes("bng2")).isZero();
    assertThat(rig.controller.conflicts(10))
        .extracting(conflict -> conflict.switchName() + " " + conflict.declared().id())
        .containsExactly("bng2 alice", "bng2 alice-limit");
  }

  private SwitchShard shard(String name) throws ReflectiveOperationException {
    Field network = SlaController.class.getDeclaredField("network");
    network.setAccessible(true);
    return ((Network) network.get(rig.controller)).named(name).orElseThrow();
  }

  /** The old switch may forget a subscriber after a change of it was found to concern that. */
  @Test
  void aSwitchThatHasForgottenMeanwhileIsLeftOut() throws Exception {
    MultiShardChanges joint = new MultiShardChanges(rig.store, rig.time);
    rig.accept(at("bng2", put("alice", "10.0.0.1/32")));
    rig.time.pass(Duration.ofSeconds(5));
    assertForgottenAt("bng1");
    List<SwitchShard> forgotten = List.of(shard("bng1"));
    int reads = target("bng1").reads();

    Outcome moved =
        joint.move(
            new Routes.Route.Move(Optional.of(shard("bng2")), shard("bng3"), forgotten),
            at("bng3", put("alice", "10.0.0.1/32")),
            false);
    assertThat(moved.isAccepted()).isTrue();
    rig.time.pass(Duration.ofSeconds(5));
    assertServedAt("bng3");

    Change.Delete limit = new Change.Delete(Kind.RATE_LIMIT, "alice-limit");
    rig.accept(limit);
    Change.Delete delete = new Change.Delete(Kind.SUBSCRIBER, "alice");
    Outcome deleted =
        joint.delete(
            new Routes.Route.DeleteEverywhere(Optional.of(shard("bng3")), forgotten),
            delete,
            false);
    assertThat(deleted.isAccepted()).isTrue();
    Outcome again =
        joint.delete(new Routes.Route.DeleteEverywhere(Optional.empty(), forgotten), delete, false);
    assertThat(((Outcome.Refused) again).problems())
        .extracting(Problem::code)
        .containsExactly(Problem.Code.NOT_FOUND);
    rig.time.pass(Duration.ofSeconds(5));
    assertForgottenAt("bng3");
    assertThat(target("bng1").reads()).as("nothing was taken back").isEqualTo(reads);
  }

  private static Declaration declaration(String prefix) {
    return ((Change.Put) put("alice", prefix)).declaration();
  }

  private Outcome apply(Change change, String at) {
    return rig.controller.apply(
        change.under(new Precondition.InForce(declaration("10.0.0.1/32"), Optional.of(at))));
  }

  @Test
  void aMoveOfWhatIsNotThereAsExpectedIsRefused() {
    Change move = at("bng2", put("alice", "10.0.0.1/32"));
    for (Outcome refused :
        List.of(
            apply(move, "bng3"),
            rig.controller.apply(move.under(Precondition.ABSENT)),
            rig.controller.apply(
                move.under(
                    new Precondition.InForce(declaration("10.0.0.9/32"), Optional.of("bng1")))))) {
      assertThat(((Outcome.Refused) refused).code()).isEqualTo(Problem.Code.PRECONDITION);
    }
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "alice").orElseThrow().switchName())
        .contains("bng1");
    assertThat(apply(move, "bng1").isAccepted()).isTrue();
    assertThat(rig.controller.dryRun(at("bng3", put("alice", "10.0.0.1/32"))).isAccepted())
        .isTrue();
    // It is declared as before, but at another switch.
    Change back = at("bng1", put("alice", "10.0.0.1/32"));
    assertThat(apply(back, "bng1").isAccepted()).isFalse();
    Change deletion = new Change.Delete(Kind.SUBSCRIBER, "alice");
    assertThat(apply(deletion, "bng1").isAccepted()).isFalse();
    assertThat(rig.controller.apply(deletion.under(Precondition.ABSENT)).isAccepted()).isFalse();
    assertThat(apply(back, "bng2").isAccepted()).isTrue();
  }

  @Test
  void aLimitThatMovesIsTheExpectedOne() {
    RateLimit port =
        new RateLimit(
            "p",
            new Scope.OfPort(0),
            OptionalLong.of(1_000_000_000),
            OptionalLong.empty(),
            OptionalInt.empty());
    rig.accept(new Change.Put(port, Optional.of("bng1")));
    Change move = new Change.Put(port, Optional.of("bng2"));
    Precondition there = new Precondition.InForce(port, Optional.of("bng1"));
    assertThat(rig.controller.apply(move.under(Precondition.ABSENT)).isAccepted()).isFalse();
    assertThat(rig.controller.apply(move.under(there)).isAccepted()).isTrue();
    assertThat(rig.controller.apply(move.under(there)).isAccepted()).isFalse();
  }
}
