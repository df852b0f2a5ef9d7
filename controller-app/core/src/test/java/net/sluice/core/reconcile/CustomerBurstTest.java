package net.sluice.core.reconcile;

import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.OptionalLong;
import net.sluice.core.ControllerConfig;
import net.sluice.core.Outcome;
import net.sluice.core.TargetState;
import net.sluice.core.TargetStatus;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.MemoryTarget;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.CustomerBurst;
import net.sluice.intents.plan.Grant;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A limit's burst where each customer of the FPGA has a bucket size of its own. */
class CustomerBurstTest {
  private static final int ALICE = QueueId.customerIndex(QueueId.of(0, 3, 0));
  private static final int BOB = QueueId.customerIndex(QueueId.of(0, 3, 1));

  private ControllerRig rig;

  @BeforeEach
  void open() {
    rig =
        ControllerRig.create(
            ControllerConfig.builder(
                Path.of("unused"),
                TestNetwork.topology(),
                TestNetwork.switchProfile(100_000),
                TestNetwork.fpgaProfile().withCustomerBursts(true)));
    rig.time.pass(Duration.ofSeconds(1));
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    rig.accept(put("alice", "10.0.0.1/32"));
    rig.accept(put("bob", "10.0.0.2/32"));
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private static RateLimit limit(String id, long downBps, int burstBytes) {
    return new RateLimit(
        id,
        new Scope.OfSubscriber(id),
        OptionalLong.of(downBps),
        OptionalLong.empty(),
        OptionalInt.of(burstBytes));
  }

  private void accept(RateLimit limit) {
    rig.accept(new Change.Put(limit));
    rig.time.settle();
  }

  private static void assertBurst(MemoryTarget<FpgaSetting> target, int customer, int bytes) {
    assertThat(target.content().values())
        .filteredOn(each -> each.sameKey(new CustomerBurst(Direction.DOWN, customer, 0)))
        .containsExactly(new CustomerBurst(Direction.DOWN, customer, bytes));
  }

  private Grant granted(String id) {
    return rig.controller.find(Kind.RATE_LIMIT, id).orElseThrow().grants().stream()
        .filter(each -> each.field().equals("burstBytes"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void eachGetsItsOwnWhateverOthersAskFor() {
    accept(limit("alice", 50_080_128, 3_000));
    accept(limit("bob", 2_003_205_128, 4_000));
    assertBurst(rig.down, ALICE, 3_000);
    assertThat(granted("alice").granted()).isEqualTo(3_000);
    assertThat(granted("alice").note()).isEmpty();
    assertBurst(rig.down, BOB, 17_599);
    assertThat(granted("bob").granted()).isEqualTo(17_599);
    assertThat(granted("bob").note())
        .isEqualTo("raised to 17599 bytes, what a rate of 2003205128 bit/s needs");
    accept(limit("bob", 50_080_128, 4_000));
    assertBurst(rig.down, BOB, 4_000);
    rig.accept(new Change.Delete(Kind.RATE_LIMIT, "bob"));
    rig.time.settle();
    assertBurst(rig.down, BOB, CustomerBurst.OF_LEVEL);
    assertBurst(rig.down, ALICE, 3_000);
  }

  @Test
  void anotherBurstThanDeclaredIsPutRight() throws Exception {
    accept(limit("alice", 50_080_128, 3_000));
    rig.down.place(new CustomerBurst(Direction.DOWN, ALICE, 9_000));
    rig.down.place(new CustomerBurst(Direction.DOWN, BOB, 9_000));
    rig.controller.reconcile();
    rig.time.settle();
    assertBurst(rig.down, ALICE, 3_000);
    assertBurst(rig.down, BOB, CustomerBurst.OF_LEVEL);
    assertThat(rig.controller.drift("fpga-down").compared().tables())
        .extracting(each -> each.table())
        .containsExactly("customer-burst");
  }

  @Test
  void aBurstThatTheCardRefusesIsTheLimitsOwnFailure() {
    rig.down.refuse(
        (op, setting) ->
            setting instanceof CustomerBurst burst && burst.bytes() == 3_000 ? "stuck" : "");
    accept(limit("alice", 50_080_128, 3_000));
    TargetStatus status =
        rig.controller.find(Kind.RATE_LIMIT, "alice").orElseThrow().targets().stream()
            .filter(each -> each.target().equals("fpga-down"))
            .findFirst()
            .orElseThrow();
    assertThat(status.state()).isEqualTo(TargetState.FAILED);
    assertThat(status.error()).hasValue("stuck");
  }

  @Test
  void oneThatNoBucketHoldsIsRefusedByFieldAndValue() {
    Outcome refused = rig.controller.apply(new Change.Put(limit("alice", 50_080_128, 32_768)));
    assertThat(((Outcome.Refused) refused).problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.field()).isEqualTo("burstBytes");
              assertThat(problem.value()).isEqualTo("32768");
              assertThat(problem.allowed()).isEqualTo("1600 to 32767 bytes");
            });
  }
}
