package net.sluice.intents.compile;

import static net.sluice.intents.compile.Network.apply;
import static net.sluice.intents.compile.Network.put;
import static net.sluice.intents.compile.Network.subscriber;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.Gate;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.policy.LimitAqm;
import net.sluice.intents.model.policy.LimitDelay;
import net.sluice.intents.model.policy.TrafficClasses;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Grant;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.profile.ShapeProfile;
import net.sluice.intents.state.InMemorySlaState;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The burst of a shaped limit, of which no more waits than the longest wait allows. */
class ShapedBurstTest {
  private static final long RATE_BPS = 15_625_000;
  private static final String NOTE =
      "burstBytes: what may wait for maxDelayMillis, of limit or policy";

  private Compiler compiler;
  private InMemorySlaState state;

  @BeforeEach
  void declare() {
    compiler =
        new Compiler(
            Network.topology(OptionalInt.empty(), OptionalInt.empty())
                .withLoopPorts(List.of(500, 501, 502, 503)),
            Network.SWITCH.withShaping(new ShapeProfile(100, 15_000_000)),
            Network.FPGA);
    state = new InMemorySlaState(compiler);
    policy(LimitDelay.UNSAID);
    apply(compiler, state, put(subscriber("alice", "gold", 1, 3, "10.0.0.1/32")));
  }

  private void policy(LimitDelay delay) {
    apply(
        compiler,
        state,
        new Change.Put(
            new Policy(
                "gold",
                BuiltInFunction.GOLD,
                Optional.empty(),
                TrafficClasses.NONE,
                Optional.empty(),
                delay,
                Optional.empty(),
                OptionalInt.empty())));
  }

  private static LimitDelay longest(int millis) {
    return new LimitDelay(Optional.empty(), OptionalInt.of(millis));
  }

  private Plan limit(int burstBytes, LimitDelay delay) {
    return apply(
        compiler,
        state,
        new Change.Put(
            new RateLimit(
                "alice",
                new Scope.OfSubscriber("alice"),
                OptionalLong.of(RATE_BPS),
                OptionalLong.empty(),
                OptionalInt.of(burstBytes),
                Optional.of(Enforcement.SHAPE),
                Gate.OPEN,
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                delay)));
  }

  private double granted() {
    return compiler.inForce(state, state.rateLimit("alice").orElseThrow()).grants().stream()
        .filter(grant -> grant.field().equals("burstBytes"))
        .mapToDouble(Grant::granted)
        .sum();
  }

  /** A rate that the switch has exactly: 100 ms of it, or of the policy's longest wait. */
  @Test
  void noMoreIsGrantedThanMayWait() {
    Plan plan = limit(2_000_000, LimitDelay.UNSAID);
    assertThat(plan.grants())
        .extracting(Grant::field, Grant::requested, Grant::granted)
        .contains(tuple("burstBytes", 2_000_000.0, 195_312.0));
    assertThat(plan.notes()).contains(NOTE);
    policy(longest(50));
    assertThat(granted()).as("of the policy").isEqualTo(97_656);
    limit(2_000_000, longest(500));
    assertThat(granted()).as("of the limit").isEqualTo(976_562);
    limit(2_000_000, longest(1));
    assertThat(granted()).as("eight packets").isEqualTo(12_288);
  }

  @Test
  void allIsGrantedThatMayWait() {
    assertThat(limit(190_000, LimitDelay.UNSAID).notes()).doesNotContain(NOTE);
    assertThat(granted()).isEqualTo(190_000);
    limit(2_000_000, new LimitDelay(Optional.of(LimitAqm.NONE), OptionalInt.empty()));
    assertThat(granted()).isEqualTo(2_000_000);
  }
}
