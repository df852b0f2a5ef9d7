package net.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import net.sluice.core.InstallSummary.PerTarget;
import net.sluice.core.InstallSummary.SessionState;
import org.junit.jupiter.api.Test;

class InstallSummaryTest {
  private static final StoreHealth WELL = new StoreHealth.Writable();
  private static final PerTarget AT_REST = target(SessionState.READY, 0, 0, 0, 0);

  @Test
  void everythingIsInstalledWhenNoTargetHasAnythingLeftToDo() {
    assertThat(new InstallSummary(List.of(AT_REST, AT_REST), WELL, 0).isAllInstalled()).isTrue();
  }

  @Test
  void aDeletionOnItsWayIsSomethingLeftToDo() {
    assertUnfinished(target(SessionState.READY, 0, 0, 1, 0));
    assertUnfinished(target(SessionState.READY, 0, 0, 0, 1));
  }

  @Test
  void soIsASubscriberThatLeavesASwitch() {
    assertThat(new InstallSummary(List.of(AT_REST), WELL, 1).isAllInstalled()).isFalse();
  }

  @Test
  void soIsADeclarationThatIsPendingOrRefusedAndASessionThatIsNotReady() {
    assertUnfinished(target(SessionState.READY, 1, 0, 0, 0));
    assertUnfinished(target(SessionState.READY, 0, 1, 0, 0));
    assertUnfinished(target(SessionState.RECONCILING, 0, 0, 0, 0));
    assertUnfinished(target(SessionState.CONNECTING, 0, 0, 0, 0));
  }

  private static void assertUnfinished(PerTarget second) {
    assertThat(new InstallSummary(List.of(AT_REST, second), WELL, 0).isAllInstalled()).isFalse();
  }

  private static PerTarget target(
      SessionState session, long pending, long failed, long queued, long inFlight) {
    return new PerTarget(
        "switch", session, Optional.empty(), 10, pending, failed, queued, inFlight);
  }

  @Test
  void nothingIsCertainWithAStoreThatFailed() {
    StoreHealth failed =
        new StoreHealth.Failed("no space left on device", Instant.EPOCH, Optional.empty());
    assertThat(new InstallSummary(List.of(AT_REST), failed, 0).isAllInstalled()).isFalse();
  }
}
