package net.sluice.core.network;

import static net.sluice.core.testing.TestNetwork.policy;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.sluice.core.Declared;
import net.sluice.core.Outcome;
import net.sluice.core.TargetState;
import net.sluice.core.TargetStatus;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.MemoryTarget.Written;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.TableUse;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On a switch of two pipes of two instances: where subscribers are, and how they move. */
class MovedSubscriberTest {
  private final SwitchProfile profile = TestNetwork.dividedSwitch(10);
  private ControllerRig rig;

  @BeforeEach
  void open() {
    rig = ControllerRig.create(TestNetwork.smallConfig(profile));
    rig.time.pass(Duration.ofSeconds(1));
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    rig.time.settle();
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private static Change at(int port, String id, int number) {
    return new Change.Put(
        new Subscriber(
            id,
            "gold",
            List.of(IpPrefix.v4(0x0a000000 + number, 32)),
            Optional.of(VlanTags.single(number)),
            new Attachment(port, 0)));
  }

  private List<Written<SwitchEntry>> writesOf(Runnable action) {
    int before = rig.switchTarget.writes().size();
    action.run();
    return rig.switchTarget.writes().stream().skip(before).toList();
  }

  private List<Written<SwitchEntry>> writesAfterAnAnswer() {
    return writesOf(
        () -> {
          assertThat(rig.switchTarget.answer()).isTrue();
          rig.time.settle();
        });
  }

  private TargetState status(String id) {
    return rig.controller.find(Kind.SUBSCRIBER, id).map(Declared::targets).orElseThrow().stream()
        .map(TargetStatus::state)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theNewEntriesAreAnsweredBeforeTheOldOnesGo() {
    rig.accept(at(0, "alice", 1));
    rig.time.settle();
    assertThat(packetsIn("alice")).isEqualTo(1);
    rig.switchTarget.holdAnswers();
    List<Written<SwitchEntry>> first =
        writesOf(
            () -> {
              Outcome.Accepted moved = rig.accept(at(1, "alice", 1));
              assertThat(moved.plan().notes())
                  .containsExactly(
                      "placed in pipe 1, instance 0",
                      "moved from pipe 0, instance 0; its counters begin at zero");
              rig.time.settle();
            });
    List<Written<SwitchEntry>> inserts = new ArrayList<>(first);
    while (inserts.size() < 3) {
      inserts.addAll(writesAfterAnAnswer());
    }
    assertThat(inserts).extracting(Written::op).containsOnly(Op.INSERT);
    assertThat(inserts).hasSize(3);
    assertThat(status("alice")).isEqualTo(TargetState.PENDING);
    List<Written<SwitchEntry>> second = new ArrayList<>();
    while (second.size() < 3) {
      second.addAll(writesAfterAnAnswer());
    }
    assertThat(second).extracting(Written::op).containsOnly(Op.DELETE);
    assertThat(second).extracting(Written::retires).containsExactly(false, false, true);
    assertThat(status("alice")).isEqualTo(TargetState.PENDING);
    assertThat(rig.switchTarget.answer()).isTrue();
    rig.time.settle();
    assertThat(status("alice")).isEqualTo(TargetState.INSTALLED);
    assertThat(packetsIn("alice")).isEqualTo(21);
    assertAsDeclared();
  }

  @Test
  void aRefusedDeletionOfTheOldEntriesIsToldOfTheSubscriber() {
    rig.accept(at(0, "alice", 1));
    rig.time.settle();
    rig.switchTarget.refuse((op, entry) -> op == Op.DELETE ? "not now" : "");
    rig.accept(at(1, "alice", 1));
    rig.time.settle();
    assertThat(status("alice")).isEqualTo(TargetState.FAILED);
    rig.switchTarget.refuse((op, entry) -> "");
    rig.time.pass(Duration.ofHours(1));
    assertThat(status("alice")).isEqualTo(TargetState.INSTALLED);
    assertAsDeclared();
  }

  @Test
  void placesThatAreLeftAreTakenAgainAndUseIsTold() {
    for (int i = 1; i <= 19; i++) {
      rig.accept(at(0, "s" + i, i));
    }
    Outcome.Accepted last = rig.accept(at(0, "s20", 20));
    assertThat(last.plan().notes())
        .containsExactly(
            "placed in pipe 0, instance 1", "subscribers-pipe-0 full: 20 of 20 in use");
    assertThat(rig.controller.apply(at(0, "s21", 21))).isInstanceOf(Outcome.Refused.class);
    rig.accept(at(1, "s1", 1));
    assertThat(rig.accept(at(0, "s21", 21)).plan().delta().number()).isEqualTo(1);
    rig.time.settle();
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "s1").orElseThrow().notes())
        .containsExactly("placed in pipe 1, instance 0");
    assertThat(rig.controller.switches().get(0).tables())
        .contains(
            new TableUse("subscribers", 21, 40),
            new TableUse("subscribers-pipe-0", 20, 20),
            new TableUse("subscribers-pipe-0-instance-0", 10, 10),
            new TableUse("ipv4-prefixes-pipe-0-instance-1", 10, 20),
            new TableUse("subscribers-pipe-1", 1, 20),
            new TableUse("subscribers-pipe-1-instance-0", 1, 10));
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
    assertAsDeclared();
  }

  @Test
  void anEntryThatStayedInTheTableOfTheOldPlaceIsForeign() {
    rig.accept(at(0, "alice", 1));
    rig.time.settle();
    List<SwitchEntry> old = List.copyOf(rig.switchTarget.content().values());
    rig.accept(at(1, "alice", 1));
    rig.time.settle();
    old.forEach(entry -> rig.switchTarget.place(entry));
    rig.controller.reconcile();
    rig.time.settle();
    assertAsDeclared();
  }

  private void assertAsDeclared() {
    CompactSlaState state = CompactSlaState.load(rig.store, rig.compiler);
    assertThat(rig.switchTarget.content()).isEqualTo(rig.expectedSwitch(state));
  }

  private long packetsIn(String id) {
    return rig.controller
        .counters(id)
        .join()
        .orElseThrow()
        .of(Direction.DOWN)
        .in()
        .orElseThrow()
        .packets();
  }
}
