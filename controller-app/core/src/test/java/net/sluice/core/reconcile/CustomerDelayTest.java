package net.sluice.core.reconcile;

import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import net.sluice.core.ControllerConfig;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.CustomerCodel;
import net.sluice.intents.plan.FpgaSetting.CustomerDepth;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** CoDel and the depth of a customer of the FPGA, whatever the FPGA holds of it. */
class CustomerDelayTest {
  private static final int ALICE = QueueId.customerIndex(QueueId.of(0, 3, 0));
  private static final int BOB = ALICE + 1;
  private static final int CODEL = 12_520 << 16 | 626;
  private static final int DEPTH_BYTES = 250_408;

  private ControllerRig rig;

  @BeforeEach
  void open() {
    rig =
        ControllerRig.create(
            ControllerConfig.builder(
                Path.of("unused"),
                TestNetwork.topology(),
                TestNetwork.switchProfile(100_000),
                TestNetwork.fpgaProfile()));
    rig.time.pass(Duration.ofSeconds(1));
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    rig.accept(put("alice", "10.0.0.1/32"));
    rig.accept(
        new Change.Put(
            new RateLimit(
                "alice",
                new Scope.OfSubscriber("alice"),
                OptionalLong.of(20_032_051),
                OptionalLong.empty(),
                OptionalInt.empty())));
    rig.time.settle();
  }

  @AfterEach
  void close() {
    rig.close();
  }

  /** Those that the FPGA holds of any customer. */
  private List<FpgaSetting> delays() {
    return rig.down.content().values().stream().filter(FpgaSetting::isOfDelay).toList();
  }

  private void assertHeld(FpgaSetting... settings) {
    for (FpgaSetting setting : settings) {
      assertThat(rig.down.content().values())
          .filteredOn(each -> each.sameKey(setting))
          .containsExactly(setting);
    }
  }

  @Test
  void whatTheFpgaHoldsOtherwiseIsPutRight() throws Exception {
    assertHeld(
        new CustomerCodel(Direction.DOWN, ALICE, CODEL),
        new CustomerDepth(Direction.DOWN, ALICE, DEPTH_BYTES));
    rig.down.place(new CustomerCodel(Direction.DOWN, ALICE, 1));
    rig.down.place(new CustomerDepth(Direction.DOWN, ALICE, 8));
    rig.down.place(new CustomerDepth(Direction.DOWN, BOB, 8));
    rig.controller.reconcile();
    rig.time.settle();
    assertHeld(
        new CustomerCodel(Direction.DOWN, ALICE, CODEL),
        new CustomerDepth(Direction.DOWN, ALICE, DEPTH_BYTES));
    assertThat(delays()).hasSize(2);
    assertThat(rig.controller.drift("fpga-down").compared().tables())
        .extracting(each -> each.table())
        .containsExactlyInAnyOrder("customer-codel", "customer-depth");
  }

  @Test
  void withoutTheLimitTheCustomerHasWhatItsClassesHave() {
    rig.accept(new Change.Delete(Kind.RATE_LIMIT, "alice"));
    rig.time.settle();
    assertThat(delays()).isEmpty();
  }
}
