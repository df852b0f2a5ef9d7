package net.sluice.core.status;

import static net.sluice.core.testing.TestNetwork.limit;
import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import net.sluice.core.TargetState;
import net.sluice.core.TargetStatus;
import net.sluice.core.testing.ControllerRig;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Op;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is told of a deleted declaration until no target holds anything of it. */
final class DeletionTest {
  private static final Change DELETE_ALICE = new Change.Delete(Kind.SUBSCRIBER, "alice");

  private final ControllerRig rig = ControllerRig.settled();

  @BeforeEach
  void declareAlice() {
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    rig.accept(put("alice", "10.0.0.1/32"));
    rig.time.settle();
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private List<TargetStatus> alice() {
    return rig.controller.remaining(Kind.SUBSCRIBER, "alice");
  }

  private CompletableFuture<Boolean> aliceIsGone() {
    return rig.controller.whenGone(Kind.SUBSCRIBER, "alice", Duration.ofSeconds(60));
  }

  private boolean switchHoldsAlice() {
    return rig.switchTarget.content().values().stream()
        .anyMatch(entry -> entry.toString().contains("10.0.0.1"));
  }

  @Test
  void aDeletionIsFollowedUntilTheTargetHasAnswered() {
    rig.switchTarget.holdAnswers();
    rig.accept(DELETE_ALICE);
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "alice")).isEmpty();
    assertThat(alice())
        .singleElement()
        .satisfies(
            at -> {
              assertThat(at.target()).isEqualTo("switch");
              assertThat(at.state()).isEqualTo(TargetState.PENDING);
              assertThat(at.awaits()).isPresent();
            });
    CompletableFuture<Boolean> gone = aliceIsGone();
    rig.time.settle();
    assertThat(gone).isNotDone();
    assertThat(rig.controller.summary().target("switch").orElseThrow().pending()).isOne();
    rig.switchTarget.answerAll();
    rig.time.settle();
    assertThat(gone).isCompletedWithValue(true);
    assertThat(alice()).isEmpty();
    assertThat(switchHoldsAlice()).isFalse();
    assertThat(rig.controller.summary().target("switch").orElseThrow().installed())
        .as("the policy")
        .isOne();
  }

  @Test
  void whatIsDeletedWhileTheTargetIsAwayRemainsUntilItWasComparedAndCorrected() {
    rig.switchTarget.reachable(false);
    rig.time.settle();
    rig.accept(DELETE_ALICE);
    CompletableFuture<Boolean> gone = aliceIsGone();
    rig.time.pass(Duration.ofSeconds(59));
    assertThat(gone).isNotDone();
    assertThat(alice()).singleElement().matches(at -> at.error().isPresent());
    assertThat(switchHoldsAlice()).isTrue();

    rig.switchTarget.reachable(true);
    CompletableFuture<Boolean> later = aliceIsGone();
    rig.switchTarget.holdAnswers();
    rig.time.pass(Duration.ofSeconds(20));
    while (rig.switchTarget.answer()) {
      if (switchHoldsAlice()) {
        assertThat(later).isNotDone();
      }
      rig.time.settle();
    }
    assertThat(later).isCompletedWithValue(true);
    assertThat(switchHoldsAlice()).isFalse();
  }

  @Test
  void aSessionLostBetweenLeavesItRemaining() {
    rig.switchTarget.holdAnswers();
    rig.accept(DELETE_ALICE);
    rig.time.settle();
    rig.switchTarget.reachable(false);
    rig.time.settle();
    assertThat(alice()).singleElement().matches(at -> at.state() == TargetState.PENDING);
    rig.switchTarget.reachable(true);
    rig.switchTarget.answerAll();
    rig.time.pass(Duration.ofSeconds(20));
    assertThat(alice()).isEmpty();
    assertThat(switchHoldsAlice()).isFalse();
  }

  @Test
  void whatTheTargetWillNotGiveUpIsToldAndTriedAgain() {
    rig.switchTarget.refuse((op, entry) -> op == Op.DELETE ? "not now" : "");
    rig.accept(DELETE_ALICE);
    rig.time.settle();
    assertThat(alice())
        .singleElement()
        .satisfies(
            at -> {
              assertThat(at.state()).isEqualTo(TargetState.FAILED);
              assertThat(at.error()).hasValue("not now");
              assertThat(at.next()).isPresent();
            });
    assertThat(rig.controller.summary().isAllInstalled()).isFalse();
    rig.time.pass(Duration.ofMinutes(1));
    assertThat(alice()).as("compared again, and refused again").isNotEmpty();

    rig.switchTarget.refuse((op, entry) -> "");
    rig.time.pass(Duration.ofMinutes(5));
    assertThat(alice()).isEmpty();
    assertThat(switchHoldsAlice()).isFalse();
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  @Test
  void whatIsDeclaredAgainIsNotBeingDeleted() {
    rig.switchTarget.holdAnswers();
    rig.accept(DELETE_ALICE);
    rig.accept(put("alice", "10.0.0.9/32"));
    assertThat(alice()).isEmpty();
    assertThat(aliceIsGone()).isCompletedWithValue(true);
    rig.time.settle();
    rig.switchTarget.answerAll();
    rig.time.settle();
    rig.switchTarget.answerAll();
    rig.time.settle();
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "alice").orElseThrow().targets())
        .allMatch(at -> at.state() == TargetState.INSTALLED);
    assertThat(switchHoldsAlice()).isFalse();
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();

    rig.switchTarget.holdAnswers();
    rig.accept(DELETE_ALICE);
    rig.time.settle();
    assertThat(alice()).hasSize(1);
    rig.switchTarget.answerAll();
    rig.time.settle();
    assertThat(alice()).isEmpty();
  }

  @Test
  void aRateLimitIsGoneWhenSwitchAndFpgaAreDoneWithIt() {
    rig.accept(limit("fast", new Scope.OfSubscriber("alice"), 50_000_000, 0));
    rig.time.settle();
    rig.down.holdAnswers();
    rig.accept(new Change.Delete(Kind.RATE_LIMIT, "fast"));
    rig.time.settle();
    assertThat(rig.controller.remaining(Kind.RATE_LIMIT, "fast"))
        .extracting(TargetStatus::target)
        .contains("fpga-down", "switch");
    rig.down.answerAll();
    rig.time.settle();
    assertThat(rig.controller.remaining(Kind.RATE_LIMIT, "fast")).isEmpty();
  }

  @Test
  void moreDeletionsThanAreFollowedAreMadeAllTheSame() {
    rig.switchTarget.reachable(false);
    rig.time.settle();
    int more = Deletions.MOST + 1;
    for (int i = 0; i < more; i++) {
      rig.accept(put("bob", "10.0.1.1/32"));
      rig.accept(new Change.Delete(Kind.SUBSCRIBER, "bob"));
    }
    assertThat(rig.controller.remaining(Kind.SUBSCRIBER, "bob")).isEmpty();
    rig.switchTarget.reachable(true);
    rig.time.pass(Duration.ofSeconds(20));
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
    rig.switchTarget.holdAnswers();
    rig.accept(DELETE_ALICE);
    assertThat(alice()).as("followed again").hasSize(1);
  }
}
