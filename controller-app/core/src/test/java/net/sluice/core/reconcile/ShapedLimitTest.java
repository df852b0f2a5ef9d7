package net.sluice.core.reconcile;

import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import net.sluice.core.ControllerConfig;
import net.sluice.core.TargetDrift.TableDrift;
import net.sluice.core.TargetState;
import net.sluice.core.TargetStatus;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.MemoryTarget;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.entry.limit.LoopPortEntry;
import net.sluice.intents.plan.entry.limit.RateWord;
import net.sluice.intents.plan.entry.limit.SubscriberLimitEntry;
import net.sluice.intents.plan.entry.limit.TreeLimitEntry;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.profile.ShapeProfile;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Limits that the switch shapes are compared, corrected and changed like all that it holds. */
class ShapedLimitTest {
  private static final Attachment TREE = new Attachment(0, 3);
  private static final long BUFFER_BYTES = 15_000_000;
  private static final int LAST_LOOP = 508;

  private ControllerRig rig;

  @BeforeEach
  void open() {
    ControllerConfig.Builder config =
        ControllerConfig.builder(
            Path.of("unused"),
            TestNetwork.topology().withLoopPorts(List.of(505, 506, 507, LAST_LOOP)),
            TestNetwork.switchProfile(1_000)
                .withShaping(new ShapeProfile(2_000, BUFFER_BYTES))
                .withMeters(new MeterProfile(2_000)),
            TestNetwork.fpgaProfile());
    rig = ControllerRig.create(config);
    rig.time.pass(Duration.ofSeconds(1));
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    rig.accept(put("alice", "10.0.0.1/32"));
    rig.accept(put("bob", "10.0.0.2/32"));
    limit("alice", new Scope.OfSubscriber("alice"), 10_000_000);
    limit("tree", new Scope.OfTree(0, 3), 20_000_000);
  }

  private void limit(String id, Scope scope, long downBps) {
    limit(id, scope, downBps, Enforcement.SHAPE);
  }

  private void limit(String id, Scope scope, long downBps, Enforcement by) {
    rig.accept(
        new Change.Put(
            new RateLimit(
                id,
                scope,
                OptionalLong.of(downBps),
                OptionalLong.empty(),
                OptionalInt.empty(),
                Optional.of(by))));
    rig.time.settle();
  }

  private static SwitchEntry limited(int subscriber, long downBps) {
    int word = downBps == 0 ? RateWord.UNLIMITED : RateWord.of(downBps);
    return new SubscriberLimitEntry(subscriber, Direction.DOWN, TREE, word);
  }

  private static SwitchEntry tree(long downBps) {
    return new TreeLimitEntry(TREE, Direction.DOWN, RateWord.of(downBps));
  }

  private static SwitchEntry lastLoop(long bufferBytes) {
    return new LoopPortEntry(3, LAST_LOOP, bufferBytes);
  }

  private List<String> drift() throws Refusal {
    rig.controller.reconcile("switch");
    rig.time.settle();
    List<String> counts = new ArrayList<>();
    for (TableDrift table : rig.controller.drift("switch").compared().tables()) {
      counts.add(
          table.table() + " " + table.foreign() + " " + table.missing() + " " + table.changed());
    }
    return counts;
  }

  @Test
  void whoeverIsUnderALimitIsShapedInTheLoopPorts() {
    assertThat(rig.switchTarget.content().values())
        .contains(limited(1, 10_000_000), limited(2, 0), tree(20_000_000), lastLoop(BUFFER_BYTES));
    for (String id : List.of("alice", "tree")) {
      assertThat(rig.controller.find(Kind.RATE_LIMIT, id).orElseThrow().targets())
          .extracting(TargetStatus::target, TargetStatus::state)
          .containsExactly(tuple("switch", TargetState.INSTALLED));
    }
  }

  @Test
  void limitsThatSomebodyChangedAreFoundAndSetAgain() throws Refusal {
    rig.switchTarget.place(limited(1, 80_000_000));
    rig.switchTarget.place(tree(80_000_000));
    rig.switchTarget.place(lastLoop(1));
    rig.switchTarget.place(new SubscriberLimitEntry(1, Direction.UP, TREE, 5_000));
    rig.switchTarget.content().remove(limited(2, 0).key());
    assertThat(drift())
        .containsExactlyInAnyOrder("subscriber-limit 1 1 1", "tree-limit 0 0 1", "loop-port 0 0 1");
    assertThat(rig.switchTarget.content().values())
        .contains(limited(1, 10_000_000), limited(2, 0), tree(20_000_000), lastLoop(BUFFER_BYTES));
    assertThat(drift()).isEmpty();
  }

  /** Nobody's packets are without a limit, or under a limit that knows nothing of those before. */
  @Test
  void anotherRateIsOneModification() {
    int before = rig.switchTarget.writes().size();
    limit("alice", new Scope.OfSubscriber("alice"), 100_000);
    limit("tree", new Scope.OfTree(0, 3), 40_000_000);
    assertThat(rig.switchTarget.writes().subList(before, rig.switchTarget.writes().size()))
        .extracting(write -> write.op(), write -> (Object) write.entity())
        .containsExactly(tuple(Op.MODIFY, limited(1, 100_000)), tuple(Op.MODIFY, tree(40_000_000)));
  }

  private static boolean limits(MemoryTarget.Written<SwitchEntry> write, Op op, int subscriber) {
    return write.op() == op
        && write.entity().table().isOfLimits()
        && write.entity().subscriberIndex() == subscriber;
  }

  private List<Op> limitWrites(int from, int subscriber) {
    return rig.switchTarget.writes().subList(from, rig.switchTarget.writes().size()).stream()
        .filter(
            write -> limits(write, Op.INSERT, subscriber) || limits(write, Op.DELETE, subscriber))
        .map(MemoryTarget.Written::op)
        .toList();
  }

  /** Alice and bob, whom the tree alone limits, are under a limit at every moment. */
  @Test
  void limitsThatPassedToTheMetersWhileTheSwitchWasAwayAreThereBeforeTheOthersGo() throws Refusal {
    rig.switchTarget.reachable(false);
    limit("alice", new Scope.OfSubscriber("alice"), 10_000_000, Enforcement.POLICE);
    limit("tree", new Scope.OfTree(0, 3), 20_000_000, Enforcement.POLICE);
    int before = rig.switchTarget.writes().size();
    rig.switchTarget.reachable(true);
    rig.time.pass(Duration.ofSeconds(10));
    for (int index : List.of(0, 1, 2)) {
      assertThat(limitWrites(before, index)).containsExactly(Op.INSERT, Op.DELETE);
    }
    assertThat(drift()).isEmpty();
  }

  /**
   * A controller that knows nothing of the change: it is no mass deletion that it has to ask for.
   */
  @Test
  void anotherStartFindsHundredsOfLimitsThatHavePassedToTheMeters() {
    for (int i = 0; i < 200; i++) {
      rig.accept(put("s" + i, "10.0.1." + i + "/32"));
    }
    rig.time.settle();
    rig.switchTarget.reachable(false);
    limit("tree", new Scope.OfTree(0, 3), 20_000_000, Enforcement.POLICE);
    rig = rig.restart();
    rig.switchTarget.reachable(true);
    rig.time.pass(Duration.ofMinutes(1));
    assertThat(rig.switchTarget.content().values())
        .filteredOn(entry -> entry.table().isOfLimits())
        .extracting(SwitchEntry::table)
        .containsOnly(Table.SUBSCRIBER_METER, Table.TREE_METER, Table.SUBSCRIBER_LIMIT)
        .hasSize(202 + 1 + 1);
  }

  @Test
  void aLimitThatIsShapedAgainMeanwhileStays() {
    rig.switchTarget.reachable(false);
    limit("alice", new Scope.OfSubscriber("alice"), 10_000_000, Enforcement.POLICE);
    rig.switchTarget.reachable(true);
    rig.switchTarget.holdAnswers();
    rig.time.pass(Duration.ofSeconds(10));
    limit("alice", new Scope.OfSubscriber("alice"), 5_000_000);
    rig.switchTarget.answerAll();
    rig.time.pass(Duration.ofSeconds(10));
    assertThat(rig.switchTarget.content().values()).contains(limited(1, 5_000_000));
    assertThat(rig.switchTarget.content().values())
        .noneMatch(entry -> entry.table() == Table.SUBSCRIBER_METER);
  }

  @Test
  void anotherStartFindsLimitsAsTheyAre() {
    int before = rig.switchTarget.writes().size();
    rig = rig.restart();
    rig.time.pass(Duration.ofMinutes(1));
    assertThat(rig.switchTarget.writes()).hasSize(before);
  }
}
