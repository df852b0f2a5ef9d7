package net.sluice.core.reconcile;

import static net.sluice.core.testing.TestNetwork.limit;
import static net.sluice.core.testing.TestNetwork.numbered;
import static net.sluice.core.testing.TestNetwork.policy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.sluice.core.ControllerConfig.Comparing;
import net.sluice.core.ControllerConfig.DeletionLimit;
import net.sluice.core.InstallSummary.PerTarget;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.store.InMemoryIntentStore;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.plan.Op;
import net.sluice.intents.state.StoreIdentity;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A store that is empty, old or another one takes nothing from a target unasked. */
class TakeoverTest {
  private static final int SUBSCRIBERS = 600;
  private static final long OTHER = 0x0123_4567_89ab_cdefL;

  private ControllerRig rig;

  @BeforeEach
  void fill() {
    rig = ControllerRig.create(TestNetwork.smallConfig());
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    for (int i = 0; i < SUBSCRIBERS; i++) {
      rig.accept(numbered(i));
    }
    rig.accept(limit("one", "sub-1"));
    pass();
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  private void pass() {
    rig.time.pass(Duration.ofMinutes(1));
  }

  private PerTarget target(String name) {
    return rig.controller.summary().target(name).orElseThrow();
  }

  private void adopt(String name) {
    try {
      rig.controller.adopt(name);
    } catch (Refusal e) {
      throw new AssertionError(e);
    }
    pass();
  }

  private void assertFilledFromStore() {
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
    CompactSlaState stored = TestNetwork.load(rig.store);
    assertThat(rig.switchTarget.content()).isEqualTo(rig.expectedSwitch(stored));
    assertThat(rig.down.content().values())
        .containsExactlyInAnyOrderElementsOf(rig.expectedFpga(stored, Direction.DOWN));
  }

  @Test
  void anEmptyStoreOfAnotherIdentityChangesNothingBeforeItIsTold() {
    Map<Object, Object> before = new HashMap<>(rig.switchTarget.content());
    Map<Object, FpgaSetting> limits = new HashMap<>(rig.down.content());
    int writes = rig.switchTarget.writes().size();
    rig = rig.restart(TestNetwork.smallConfig().build(), new InMemoryIntentStore(OTHER));
    pass();

    assertThat(target("switch").session()).isEqualTo(SessionState.REFUSING);
    assertThat(target("switch").sessionDetail())
        .contains(
            "refuses to take the target over: it holds 4540 entries of another store,"
                + " 5eed00005eed0001, of which 2824 would be deleted; this store is"
                + " 0123456789abcdef. Nothing is written. If this is the right store, adopt the"
                + " target: POST /sluice/v1/targets/switch/adopt, or start the controller with"
                + " --adopt; if not, stop this controller and start it with the right one");
    assertThat(target("fpga-down").sessionDetail().orElseThrow())
        .contains("is the switch's primary; state of the switch: refuses to take");
    assertThat(rig.switchTarget.content()).isEqualTo(before);
    assertThat(rig.switchTarget.writes()).hasSize(writes);
    assertThat(rig.down.content()).isEqualTo(limits);

    rig.accept(policy("silver", BuiltInFunction.SILVER));
    pass();
    assertThat(rig.switchTarget.content()).as("nor by what is declared now").isEqualTo(before);

    adopt("switch");
    // Each target is asked about on its own.
    assertThat(target("fpga-down").session()).isEqualTo(SessionState.REFUSING);
    assertThat(target("fpga-down").sessionDetail().orElseThrow())
        .startsWith("refuses to take the target over: it holds 1 entries of another store");
    assertThat(rig.down.content()).isEqualTo(limits);
    adopt("fpga-down");
    adopt("fpga-up");
    assertFilledFromStore();
  }

  @Test
  void whoStartsWithAdoptIsNotAsked() {
    rig =
        rig.restart(
            TestNetwork.smallConfig().comparing(TestNetwork.ADOPTING).build(),
            new InMemoryIntentStore(OTHER));
    pass();
    assertFilledFromStore();
  }

  @Test
  void anEmptyTargetIsAnybodys() {
    rig.switchTarget.content().clear();
    rig.down.content().clear();
    rig.up.content().clear();
    rig = rig.restart(TestNetwork.smallConfig().build(), new InMemoryIntentStore(OTHER));
    pass();
    assertFilledFromStore();
  }

  /** As an earlier release has left them. */
  private void forgetRevision() {
    rig.switchTarget.revision().clear();
    rig.down.revision().clear();
    rig.up.revision().clear();
  }

  /** The same identity with less in it, at targets that do not keep how far it had got. */
  @Test
  void aStoreThatHasLostMuchDeletesNothingUnasked() {
    forgetRevision();
    Map<Object, Object> before = new HashMap<>(rig.switchTarget.content());
    rig = rig.restart(TestNetwork.smallConfig().build(), new InMemoryIntentStore());
    pass();
    assertThat(target("switch").session()).isEqualTo(SessionState.REFUSING);
    assertThat(target("switch").sessionDetail().orElseThrow())
        .startsWith("refuses to delete 2824 of the 4540 entries that the target holds")
        .contains("5 % and 100 entries may be deleted");
    assertThat(rig.switchTarget.content()).isEqualTo(before);

    // A target that somebody else has put right is taken without a word.
    rig.switchTarget.content().clear();
    rig.controller.reconcile();
    pass();
    assertFilledFromStore();
  }

  /** What waits to be deleted when the target is compared again needs no second adoption. */
  @Test
  void whatAnAdoptionDeletesIsNotAskedAboutAgain() throws Refusal {
    forgetRevision();
    rig =
        rig.restart(
            TestNetwork.smallConfig().batchSize(20).window(1).build(), new InMemoryIntentStore());
    pass();
    rig.switchTarget.holdAnswers();
    rig.controller.adopt("switch");
    pass();
    assertThat(target("switch").session()).isEqualTo(SessionState.READY);
    assertThat(target("switch").queuedWrites()).isGreaterThan(2_000);
    rig.controller.reconcile();
    rig.switchTarget.answerAll();
    pass();
    assertFilledFromStore();
  }

  @Test
  void theLimitIsConfigurable() {
    forgetRevision();
    rig =
        rig.restart(
            TestNetwork.smallConfig()
                .comparing(
                    new Comparing(
                        Comparing.DEFAULT.auditInterval(), new DeletionLimit(70, 1), false))
                .build(),
            new InMemoryIntentStore());
    pass();
    assertFilledFromStore();
  }

  @Test
  void limitsThatWouldBeLiftedCountAsDeletions() {
    for (int i = 0; i < 150; i++) {
      rig.down.place(new RateWord(Direction.DOWN, FpgaLevel.CUSTOMER, 100 + i, 7));
    }
    Map<Object, FpgaSetting> before = new HashMap<>(rig.down.content());
    rig.controller.reconcile();
    pass();
    assertThat(target("switch").session()).isEqualTo(SessionState.READY);
    assertThat(target("fpga-down").session()).isEqualTo(SessionState.REFUSING);
    assertThat(target("fpga-down").sessionDetail().orElseThrow())
        .startsWith("refuses to delete 150 of the 151 entries that the target holds");
    assertThat(rig.down.content()).isEqualTo(before);
    adopt("fpga-down");
    assertFilledFromStore();
  }

  /** A session that ends between the two words leaves neither this store's nor another's. */
  @Test
  void anFpgaWithHalfOfTheIdentityIsNotAnotherStores() {
    FpgaSetting upper = StoreIdentity.fpgaWords(Direction.DOWN, rig.store.identity()).get(1);
    for (int old : new int[] {0, (int) (OTHER >>> Integer.SIZE)}) {
      rig.down.place(upper.withValue(old));
      rig = rig.restart();
      pass();
      assertFilledFromStore();
    }
  }

  @Test
  void anFpgaWithoutAPlaceForTheIdentityIsTaken() {
    rig.down.keepNoIdentity();
    rig.down.content().values().removeIf(FpgaSetting.StoreWord.class::isInstance);
    rig.down.revision().clear();
    rig.switchTarget.content().clear();
    rig.up.content().clear();
    rig = rig.restart(TestNetwork.smallConfig().build(), new InMemoryIntentStore(OTHER));
    pass();
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
    assertThat(rig.down.content().values()).noneMatch(FpgaSetting.StoreWord.class::isInstance);
  }

  @Test
  void whatIsDeletedThroughTheApiIsDeletedWhereverTheTargetIsMeanwhile() {
    // While it is read, while it is away, and with answers outstanding when it goes.
    for (String when : List.of("reading", "away", "in flight")) {
      if (when.equals("reading")) {
        rig.controller.reconcile();
        rig.time.step();
        rig.time.step();
      } else if (when.equals("away")) {
        rig.switchTarget.reachable(false);
      } else {
        rig.switchTarget.holdAnswers();
      }
      int from = List.of("reading", "away", "in flight").indexOf(when) * 190;
      for (int i = from; i < from + 190; i++) {
        if (i != 1) {
          rig.accept(new Change.Delete(Kind.SUBSCRIBER, "sub-" + i));
        }
      }
      rig.time.settle();
      rig.switchTarget.reachable(false);
      rig.switchTarget.answerAll();
      rig.switchTarget.reachable(true);
      pass();
      assertThat(target("switch").session()).as(when).isEqualTo(SessionState.READY);
    }
    assertFilledFromStore();
  }

  @Test
  void onlyWhatRefusesCanBeAdopted() {
    assertThatThrownBy(() -> rig.controller.adopt("switch"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("switch is READY: there is nothing to adopt.");
    assertThatThrownBy(() -> rig.controller.adopt("fpga"))
        .hasMessageContaining("There is no target fpga; there are: switch, fpga-down, fpga-up.");
    rig.switchTarget.reachable(false);
    assertThatThrownBy(() -> rig.controller.reconcile("switch"))
        .hasMessageContaining("switch cannot be read back now: unreachable");
    assertThat(rig.switchTarget.writes()).noneMatch(w -> w.op() == Op.DELETE);
  }
}
