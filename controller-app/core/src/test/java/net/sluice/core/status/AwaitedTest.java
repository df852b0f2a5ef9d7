package net.sluice.core.status;

import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.sluice.core.TargetState;
import net.sluice.core.TargetStatus;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.policy.BuiltInFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a declaration says it waits for, at every step of the way to its target. */
class AwaitedTest {
  private final ControllerRig rig = ControllerRig.create(TestNetwork.smallConfig().batchSize(100));

  @AfterEach
  void close() {
    rig.close();
  }

  private TargetStatus alice() {
    return rig.controller.find(Kind.SUBSCRIBER, "alice").orElseThrow().targets().get(0);
  }

  @Test
  void whatIsPendingSaysWhatItWaitsForAtEveryStep() {
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    rig.accept(put("alice", "10.0.0.1/32"));
    rig.switchTarget.holdAnswers();
    List<String> awaited = new ArrayList<>();
    do {
      if (alice().state() == TargetState.PENDING) {
        String words = alice().awaits().orElseThrow().replaceAll("[0-9][0-9TZ:.-]*", "N");
        if (awaited.isEmpty() || !awaited.get(awaited.size() - 1).equals(words)) {
          awaited.add(words);
        }
      } else {
        assertThat(alice().awaits()).isEmpty();
      }
    } while (rig.time.step() || rig.switchTarget.answer());
    assertThat(awaited)
        .containsExactly(
            "an attempt to reach the target is under way; then it is read back",
            "answers to writes in flight, N of them; then the target is read back, and what it"
                + " lacks is written",
            "the target is read back since N; then what it lacks is written",
            "the target was read back; what it lacks is being written: N writes wait, N are sent"
                + " and unanswered",
            "being written: N writes wait, N are sent and unanswered");
    assertThat(alice().state()).isEqualTo(TargetState.INSTALLED);

    rig.switchTarget.reachable(false);
    rig.time.settle();
    assertThat(alice().awaits())
        .hasValue("the next attempt to reach the target; then it is read back");
    assertThat(alice().error()).hasValue("unreachable");
    assertThat(alice().next()).isPresent();
  }

  @Test
  void aChangeOnTheWaySaysHowManyWritesThereAre() {
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    rig.time.pass(Duration.ofSeconds(1));
    rig.switchTarget.holdAnswers();
    rig.accept(put("alice", "10.0.0.1/32"));
    assertThat(alice().awaits())
        .hasValue("being written: 1 writes wait, 0 are sent and unanswered");
    rig.time.settle();
    assertThat(alice().awaits())
        .hasValue("being written: 0 writes wait, 1 are sent and unanswered");
    rig.controller.reconcile();
    rig.time.settle();
    assertThat(alice().awaits())
        .hasValue(
            "answers to writes in flight, 1 of them; then the target is read back, and what it"
                + " lacks is written");
    rig.switchTarget.answerAll();
    rig.time.settle();
    assertThat(alice().awaits()).isEmpty();
  }
}
