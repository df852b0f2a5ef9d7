package net.sluice.intents.compile;

import static net.sluice.intents.compile.Network.apply;
import static net.sluice.intents.compile.Network.put;
import static net.sluice.intents.compile.Network.subscriber;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Grant;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.plan.entry.limit.MeterSetting;
import net.sluice.intents.plan.entry.limit.SubscriberMeterEntry;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.state.InMemorySlaState;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.InvalidValueException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The burst of a policed limit, which follows from its rate and its policy's round-trip time. */
class PolicedBurstTest {
  private static final long RATE_BPS = 20_000_000;

  private Compiler compiler;
  private InMemorySlaState state;

  @BeforeEach
  void declare() {
    compiler =
        new Compiler(
            Network.topology(OptionalInt.empty(), OptionalInt.empty()),
            Network.SWITCH.withMeters(new MeterProfile(100)).withDirectionPolicies(2),
            Network.FPGA);
    state = new InMemorySlaState(compiler);
    policy("far", OptionalInt.of(200));
    policy("near", OptionalInt.empty());
    apply(compiler, state, put(subscriber("alice", "far", 1, 3, "10.0.0.1/32")));
    apply(compiler, state, put(subscriber("bob", "far", 1, 3, "10.0.0.2/32")));
    apply(compiler, state, put(subscriber("carol", "near", 1, 3, "10.0.0.3/32")));
    apply(compiler, state, put(subscriber("dave", "far", 1, 3, "10.0.0.4/32")));
    limit("alice", RATE_BPS, OptionalInt.empty());
    limit("bob", RATE_BPS, OptionalInt.of(50_000));
    limit("carol", RATE_BPS, OptionalInt.empty());
  }

  private Plan policy(String id, OptionalInt rttMillis) {
    return apply(
        compiler,
        state,
        new Change.Put(new Policy(id, BuiltInFunction.GOLD).withRttMillis(rttMillis)));
  }

  private Plan limit(String subscriber, long rateBps, OptionalInt burstBytes) {
    return limit(subscriber, new Scope.OfSubscriber(subscriber), rateBps, burstBytes);
  }

  private Plan limit(String id, Scope scope, long rateBps, OptionalInt burstBytes) {
    return apply(
        compiler,
        state,
        new Change.Put(
            new RateLimit(
                id,
                scope,
                OptionalLong.of(rateBps),
                OptionalLong.empty(),
                burstBytes,
                Optional.of(Enforcement.POLICE))));
  }

  private long burstBytes(String subscriber) {
    long[] burst = new long[1];
    compiler.expected(
        state,
        state.subscriber(subscriber).orElseThrow(),
        entry -> {
          if (entry instanceof SubscriberMeterEntry meter) {
            burst[0] = meter.meter().map(MeterSetting::burstBytes).orElse(0L);
          }
        });
    return burst[0];
  }

  /** The rate for the round-trip time and for 18 ms times the cube root of its segments. */
  @Test
  void theBurstIsThatOfTheRateAndTheRoundTripTime() {
    assertThat(MeterProfile.flowBurstBytes(12_000_000, 8)).isEqualTo(12_000 + 54_000);
    assertThat(MeterProfile.flowBurstBytes(120_000_000, 100)).isEqualTo(1_500_000 + 2_700_000);
    assertThat(MeterProfile.flowBurstBytes(10_000, 1)).isEqualTo(3_200);
  }

  @Test
  void eachSubscriberHasTheBurstOfItsPolicyUnlessItsLimitSaysOne() {
    assertThat(burstBytes("alice")).isEqualTo(MeterProfile.flowBurstBytes(RATE_BPS, 200));
    assertThat(burstBytes("bob")).isEqualTo(50_000);
    assertThat(burstBytes("carol")).isEqualTo(MeterProfile.flowBurstBytes(RATE_BPS, 40));
    assertThat(compiler.inForce(state, state.rateLimit("alice").orElseThrow()).grants())
        .extracting(Grant::field, Grant::granted)
        .contains(tuple("burstBytes", (double) burstBytes("alice")));
  }

  /** One plan has a write for each meter with that policy's burst, and no other. */
  @Test
  void anotherRoundTripTimeRewritesTheMetersOfThePolicysSubscribers() {
    Plan plan = policy("far", OptionalInt.of(10));
    int alice = state.subscriber("alice").orElseThrow().index();
    assertThat(plan.writes(TargetKey.SWITCH))
        .filteredOn(write -> write.entity().table() == Table.SUBSCRIBER_METER)
        .singleElement()
        .satisfies(
            write -> {
              assertThat(write.op()).isEqualTo(Op.MODIFY);
              assertThat(write.owner()).isEqualTo(OwnerIds.subscriber(alice));
              assertThat(((SubscriberMeterEntry) write.entity()).meter().orElseThrow())
                  .isEqualTo(new MeterSetting(RATE_BPS, MeterProfile.flowBurstBytes(RATE_BPS, 10)));
            });
    assertThat(policy("far", OptionalInt.of(10)).writes(TargetKey.SWITCH)).isEmpty();
  }

  @Test
  void aDirectionHasTheBurstOfItsOwnPolicy() {
    Subscriber alice = subscriber("alice", "near", 1, 3, "10.0.0.1/32");
    apply(
        compiler,
        state,
        put(alice.withParts(alice.parts().withUpstreamPolicy(Optional.of("far")))));
    assertThat(burstBytes("alice")).isEqualTo(MeterProfile.flowBurstBytes(RATE_BPS, 40));
    assertThat(policy("far", OptionalInt.of(10)).writes(TargetKey.SWITCH)).isEmpty();
    assertThat(policy("near", OptionalInt.of(10)).writes(TargetKey.SWITCH)).hasSize(2);
  }

  @Test
  void aSubscriberThatPassesToAnotherPolicyHasTheBurstOfThat() {
    Plan plan = apply(compiler, state, put(subscriber("alice", "near", 1, 3, "10.0.0.1/32")));
    assertThat(plan.writes(TargetKey.SWITCH))
        .extracting(write -> write.entity().table())
        .contains(Table.SUBSCRIBER_METER);
    assertThat(burstBytes("alice")).isEqualTo(burstBytes("carol"));
  }

  /** Many flows share a tree, of policies that differ. */
  @Test
  void aTreeHasTheBurstOfATenthOfASecond() {
    assertThat(limit("tree", new Scope.OfTree(1, 3), RATE_BPS, OptionalInt.empty()).grants())
        .extracting(Grant::field, Grant::granted)
        .contains(tuple("burstBytes", 250_000.0));
  }

  @Test
  void aBurstThatNoMeterHoldsIsCutAndNoted() {
    Plan plan = limit("dave", 200_000_000_000L, OptionalInt.empty());
    assertThat(plan.grants())
        .filteredOn(grant -> grant.field().equals("burstBytes"))
        .extracting(Grant::direction, Grant::granted)
        .containsExactly(tuple(Optional.of(Direction.DOWN), (double) MeterProfile.MAX_BURST_BYTES));
    assertThat(plan.notes()).contains("burstBytes: the most that a meter holds");
  }

  @Test
  void aRoundTripTimeIsOneToAThousandMilliseconds() {
    Policy policy = new Policy("p", BuiltInFunction.GOLD);
    for (int millis : List.of(0, 1_001)) {
      assertThatThrownBy(() -> policy.withRttMillis(OptionalInt.of(millis)))
          .isInstanceOf(InvalidValueException.class)
          .hasMessageContaining("rttMillis");
    }
  }
}
