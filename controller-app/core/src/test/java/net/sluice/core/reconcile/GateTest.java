package net.sluice.core.reconcile;

import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import net.sluice.core.Outcome;
import net.sluice.core.TargetState;
import net.sluice.core.TargetStatus;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.MemoryTarget;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.Gate;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.plan.Precondition;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A closed gate is rate word 0, and is kept and corrected like all that is declared. */
class GateTest {
  private static final int CUSTOMER = QueueId.customerIndex(QueueId.of(0, 3, 0));
  private static final RateLimit OPEN =
      new RateLimit(
          "alice",
          new Scope.OfSubscriber("alice"),
          OptionalLong.of(50_000_000),
          OptionalLong.of(10_000_000),
          OptionalInt.empty());
  private static final RateLimit CLOSED = OPEN.withGate(Gate.CLOSED);

  private ControllerRig rig;

  @BeforeEach
  void open() {
    rig = ControllerRig.settled();
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    rig.accept(put("alice", "10.0.0.1/32"));
    accept(OPEN);
  }

  private void accept(RateLimit limit) {
    rig.accept(new Change.Put(limit));
    rig.time.settle();
  }

  private void assertWords(int down, int up) {
    assertWord(rig.down, Direction.DOWN, down);
    assertWord(rig.up, Direction.UP, up);
  }

  private static void assertWord(MemoryTarget<FpgaSetting> target, Direction direction, int word) {
    assertThat(target.content().values())
        .filteredOn(each -> each.sameKey(word(direction, 0)))
        .containsExactly(word(direction, word));
  }

  private static RateWord word(Direction direction, int word) {
    return new RateWord(direction, FpgaLevel.CUSTOMER, CUSTOMER, word);
  }

  @Test
  void closingAndOpeningWritesTheSubscribersRateWordsAlone() {
    assertWords(50, 10);
    Outcome.Accepted closed = rig.accept(new Change.Put(CLOSED));
    rig.time.settle();
    assertThat(closed.plan().size()).isEqualTo(2);
    assertWords(0, 0);
    assertThat(rig.controller.find(Kind.RATE_LIMIT, "alice").orElseThrow().targets())
        .extracting(TargetStatus::state)
        .containsOnly(TargetState.INSTALLED);
    assertThat(rig.controller.find(Kind.RATE_LIMIT, "alice").orElseThrow().notes())
        .anyMatch(note -> note.contains("held back while the gate is closed"));
    assertThat(rig.accept(new Change.Put(OPEN)).plan().size()).isEqualTo(2);
    rig.time.settle();
    assertWords(50, 10);
  }

  @Test
  void aClosedGateStaysClosedOverARestartAndIsClosedAgainWhereItIsNot() {
    accept(CLOSED);
    rig = rig.restart();
    rig.time.pass(Duration.ofSeconds(1));
    assertWords(0, 0);
    assertThat(rig.controller.find(Kind.RATE_LIMIT, "alice").orElseThrow().declared())
        .isEqualTo(CLOSED);
    rig.down.place(word(Direction.DOWN, 50));
    rig.controller.reconcile();
    rig.time.settle();
    assertWords(0, 0);
  }

  @Test
  void withoutItsLimitASubscriberHasNoGate() {
    accept(CLOSED);
    rig.accept(new Change.Delete(Kind.RATE_LIMIT, "alice"));
    rig.time.settle();
    assertWords((1 << 18) - 1, (1 << 18) - 1);
  }

  @Test
  void aChangeMadeFromSomethingElseIsRefused() {
    rig.accept(
        new Change.Put(CLOSED, Optional.empty(), new Precondition.InForce(OPEN, Optional.empty())));
    Outcome again =
        rig.controller.apply(
            new Change.Put(
                CLOSED, Optional.empty(), new Precondition.InForce(OPEN, Optional.empty())));
    assertThat(((Outcome.Refused) again).problems())
        .hasToString(
            "[PRECONDITION: The declaration of rate limit alice has changed meanwhile; nothing was"
                + " done.]");
  }

  @Test
  void metersHaveNoGate() {
    RateLimit policed =
        new RateLimit(
            "alice",
            OPEN.scope(),
            OPEN.downBps(),
            OPEN.upBps(),
            OptionalInt.empty(),
            Optional.of(Enforcement.POLICE),
            Gate.CLOSED,
            OptionalInt.empty());
    Outcome refused = rig.controller.dryRun(new Change.Put(policed));
    assertThat(((Outcome.Refused) refused).problems())
        .anyMatch(
            problem ->
                problem
                    .toString()
                    .equals(
                        "INVALID: Rate limit alice has no gate: only where an FPGA shapes can"
                            + " packets be held back."));
  }
}
