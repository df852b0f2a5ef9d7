package net.sluice.intents.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.sluice.intents.limit.AppliedLimits;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.Gate;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.policy.LimitAqm;
import net.sluice.intents.model.policy.LimitDelay;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.CustomerCodel;
import net.sluice.intents.plan.FpgaSetting.CustomerDepth;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.state.InMemorySlaState;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;

/** CoDel and the depth of queues under limits that the FPGA enforces. */
class CustomerDelaysTest {
  private static final double TICK_MICROS = 1248 / 156.25;
  private static final LimitDelay NONE = delay(Optional.of(LimitAqm.NONE), OptionalInt.empty());

  private final InMemorySlaState state = new InMemorySlaState();

  private Compiler compiler = Network.compiler();

  private static LimitDelay delay(Optional<LimitAqm> aqm, OptionalInt maxDelayMillis) {
    return new LimitDelay(aqm, maxDelayMillis);
  }

  private static LimitDelay longest(int millis) {
    return delay(Optional.empty(), OptionalInt.of(millis));
  }

  private static LimitAqm codel(int targetMicros, int intervalMicros) {
    return new LimitAqm(true, targetMicros, intervalMicros, true, false);
  }

  private static Policy with(Policy policy, LimitDelay delay) {
    return new Policy(
        policy.id(),
        policy.function(),
        policy.aqm(),
        policy.classes(),
        policy.displayName(),
        delay,
        policy.flows(),
        policy.rttMillis());
  }

  private static RateLimit with(RateLimit limit, LimitDelay delay) {
    return new RateLimit(
        limit.id(),
        limit.scope(),
        limit.downBps(),
        limit.upBps(),
        limit.burstBytes(),
        limit.enforcement(),
        limit.gate(),
        limit.maxCommittedPercent(),
        limit.terms(),
        limit.displayName(),
        delay);
  }

  private Plan make(Change change) throws Refusal {
    Plan plan = compiler.compile(state, change);
    state.apply(plan);
    return plan;
  }

  private void policy(LimitDelay delay) throws Refusal {
    make(new Change.Put(with(new Policy("gold", BuiltInFunction.GOLD, Optional.empty()), delay)));
  }

  private void limit(long downBps, LimitDelay delay) throws Refusal {
    make(new Change.Put(with(of(downBps), delay)));
  }

  private static RateLimit of(long downBps) {
    return new RateLimit(
        "l",
        new Scope.OfSubscriber("alice"),
        OptionalLong.of(downBps),
        OptionalLong.empty(),
        OptionalInt.empty(),
        Optional.of(Enforcement.FPGA),
        Gate.OPEN,
        OptionalInt.empty());
  }

  /** Target and interval in ticks, and bytes of depth, as the FPGA should have them of alice. */
  private List<Integer> held() {
    int customer = QueueId.customerIndex(state.subscriber("alice").orElseThrow().allotment());
    return compiler
        .expectedSettings(state, Direction.DOWN)
        .map(Expected::entity)
        .filter(
            each ->
                each.sameKey(new CustomerCodel(Direction.DOWN, customer, 0))
                    || each.sameKey(new CustomerDepth(Direction.DOWN, customer, 0)))
        .flatMap(
            each ->
                each instanceof CustomerDepth depth
                    ? List.of(depth.bytes()).stream()
                    : List.of(each.value() & 0xffff, each.value() >>> 16).stream())
        .toList();
  }

  @Example
  void theDefaultFollowsTheGrantedRate() throws Refusal {
    policy(LimitDelay.UNSAID);
    make(Network.put(Network.subscriber("alice", "gold", 0, 3, "10.0.0.1/32")));
    // 5 ms and 100 ms; 20 bytes a tick for 100 ms.
    limit(20_000_000, LimitDelay.UNSAID);
    assertThat(held()).containsExactly(626, 12_520, 250_408);
    // A byte a tick: two full packets are 25.6 ms, 20 times that, and eight of them.
    limit(1_001_603, LimitDelay.UNSAID);
    assertThat(held()).containsExactly(3_200, 64_000, 12_800);
    // 100 ms would be 49 MB: as much as the register holds.
    limit(3_900_000_000L, LimitDelay.UNSAID);
    assertThat(held()).containsExactly(626, 12_520, (1 << 24) - 8);
  }

  @Example
  void aLimitSaysItFirstThenItsPolicy() throws Refusal {
    policy(longest(50));
    make(Network.put(Network.subscriber("alice", "gold", 0, 3, "10.0.0.1/32")));
    limit(20_000_000, LimitDelay.UNSAID);
    assertThat(held()).containsExactly(626, 12_520, 125_208);
    limit(20_000_000, longest(20));
    assertThat(held()).containsExactly(626, 12_520, 50_088);
    limit(20_000_000, delay(Optional.of(codel(10_000, 40_000)), OptionalInt.empty()));
    assertThat(held()).containsExactly(1_252, 5_008, 125_208);
    // None: no CoDel, also if the classes have one, and the depth of the classes, 256 KiB.
    limit(20_000_000, NONE);
    assertThat(held()).containsExactly(0, 1, 0);
    limit(20_000_000, delay(Optional.of(LimitAqm.NONE), OptionalInt.of(20)));
    assertThat(held()).containsExactly(0, 1, 50_088);
    // Longer than registers hold: as long as they do.
    limit(20_000_000, delay(Optional.of(codel(900_000, 1_000_000)), OptionalInt.empty()));
    assertThat(held()).containsExactly(65_535, 65_535, 125_208);
    policy(NONE);
    limit(20_000_000, LimitDelay.UNSAID);
    assertThat(held()).containsExactly(0, 1, 0);
  }

  @Example
  void anotherPolicyRewritesTheCustomersWhoseLimitsItConcerns() throws Refusal {
    policy(LimitDelay.UNSAID);
    make(Network.put(Network.subscriber("alice", "gold", 0, 3, "10.0.0.1/32")));
    limit(20_000_000, LimitDelay.UNSAID);
    make(Network.put(Network.subscriber("bob", "gold", 0, 3, "10.0.0.2/32")));
    Plan plan =
        make(
            new Change.Put(
                with(new Policy("gold", BuiltInFunction.GOLD, Optional.empty()), longest(50))));
    assertThat(plan.writes(TargetKey.fpga(Direction.DOWN)))
        .singleElement()
        .satisfies(
            write ->
                assertThat(write.entity())
                    .isEqualTo(new CustomerDepth(Direction.DOWN, 192, 125_208)));
    assertThat(plan.writes(TargetKey.fpga(Direction.UP))).isEmpty();
  }

  // ---------------------------------------------------------------- random histories

  private static LimitDelay randomDelay(SplittableRandom random) {
    Optional<LimitAqm> aqm =
        switch (random.nextInt(4)) {
          case 0 -> Optional.of(LimitAqm.NONE);
          case 1 ->
              Optional.of(codel(1 + random.nextInt(20_000), 20_000 + random.nextInt(980_000)));
          default -> Optional.empty();
        };
    return delay(
        aqm,
        random.nextInt(3) == 0 ? OptionalInt.of(1 + random.nextInt(1_000)) : OptionalInt.empty());
  }

  private static Change randomChange(SplittableRandom random) {
    Change change = CompilerPropertyTest.randomChange(random);
    if (!(change instanceof Change.Put put)) {
      return change;
    } else if (put.declaration() instanceof Policy policy) {
      return new Change.Put(with(policy, randomDelay(random)));
    } else if (put.declaration() instanceof RateLimit limit
        && limit.scope() instanceof Scope.OfSubscriber) {
      return new Change.Put(with(limit, randomDelay(random)));
    }
    return change;
  }

  @Property(tries = 150, seed = "1")
  void whatIsHeldFollowsTheRatesThatAreGranted(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 100) int steps) {
    compiler =
        new Compiler(
            Network.topology(), Network.SWITCH.withDirectionPolicies(10), Network.SMALL_FPGA);
    InMemorySlaState random = new InMemorySlaState();
    Targets targets = new Targets(compiler);
    SplittableRandom draw = new SplittableRandom(seed);
    for (int step = 0; step < steps; step++) {
      try {
        Plan plan = compiler.compile(random, randomChange(draw));
        targets.apply(plan);
        random.apply(plan);
        CompilerPropertyTest.assertWritesAreOfTheirOwners(compiler, random, plan);
      } catch (Refusal refusal) {
        continue;
      }
    }
    assertThat(targets.settings()).isEqualTo(Targets.expectedSettings(compiler, random));
    for (Direction direction : Direction.values()) {
      List<FpgaSetting> held =
          targets.settings().values().stream().filter(s -> s.direction() == direction).toList();
      SubscriberState[] owners = new SubscriberState[1 << 15];
      random
          .allSubscribers()
          .filter(SubscriberState::hasAllotment)
          .forEach(s -> owners[QueueId.customerIndex(s.allotment())] = s);
      held.stream()
          .filter(CustomerCodel.class::isInstance)
          .forEach(
              s ->
                  assertCodel(
                      random, direction, owners[((CustomerCodel) s).customer()], s.value()));
      held.stream()
          .filter(CustomerDepth.class::isInstance)
          .forEach(
              s ->
                  assertDepth(
                      random, direction, owners[((CustomerDepth) s).customer()], s.value()));
      assertThat(Arrays.stream(owners).filter(each -> each != null).count())
          .isLessThanOrEqualTo(held.size());
    }
  }

  /** The subscriber's own limit, if it has a rate in a direction. */
  private static Optional<RateLimit> own(
      InMemorySlaState state, Direction direction, SubscriberState owner) {
    return owner == null
        ? Optional.empty()
        : AppliedLimits.of(owner.subscriber(), state::rateLimitOf)
            .own()
            .filter(limit -> limit.rateBps(direction).isPresent());
  }

  private static LimitDelay ofPolicy(
      InMemorySlaState state, Direction direction, SubscriberState owner) {
    return state
        .policy(owner.subscriber().policyId(direction))
        .map(each -> each.policy().limitDelay())
        .orElse(LimitDelay.UNSAID);
  }

  private double grantedBps(RateLimit limit, Direction direction) {
    return compiler.fpgaProfile().grant(limit.rateBps(direction).getAsLong()).grantedBps();
  }

  private void assertCodel(
      InMemorySlaState state, Direction direction, SubscriberState owner, int word) {
    Optional<RateLimit> limit = own(state, direction, owner);
    if (limit.isEmpty()) {
      assertThat(word).isZero();
      return;
    }
    LimitAqm aqm =
        limit
            .get()
            .delay()
            .aqm()
            .or(() -> ofPolicy(state, direction, owner).aqm())
            .orElse(LimitAqm.DEFAULT);
    if (!aqm.codel()) {
      assertThat(word).isEqualTo(CustomerCodel.NONE);
      return;
    }
    double packets = 2 * 1_600 * 8e6 / grantedBps(limit.get(), direction);
    double target = Math.max(aqm.targetMicros(), packets);
    double interval =
        packets > aqm.targetMicros()
            ? Math.max(aqm.intervalMicros(), 20 * packets)
            : aqm.intervalMicros();
    double most = 65_535 * TICK_MICROS;
    assertThat((word & 0xffff) * TICK_MICROS)
        .isCloseTo(Math.min(most, target), within(1.01 * TICK_MICROS));
    // Up to a tick of the target more, 20 times.
    assertThat((word >>> 16) * TICK_MICROS)
        .isCloseTo(Math.min(most, interval), within(20.2 * TICK_MICROS));
  }

  private void assertDepth(
      InMemorySlaState state, Direction direction, SubscriberState owner, int bytes) {
    Optional<RateLimit> limit = own(state, direction, owner);
    OptionalInt millis =
        limit.isEmpty() ? OptionalInt.empty() : longestMillis(state, direction, owner, limit.get());
    if (millis.isEmpty()) {
      assertThat(bytes).isZero();
      return;
    }
    double wanted =
        Math.max(8 * 1_600, grantedBps(limit.get(), direction) / 8e3 * millis.getAsInt());
    assertThat((double) bytes).isCloseTo(Math.min((1 << 24) - 8, wanted), within(wanted / 1e6 + 9));
    assertThat(bytes % 8).isZero();
  }

  /** Empty for as long as there is room. */
  private static OptionalInt longestMillis(
      InMemorySlaState state, Direction direction, SubscriberState owner, RateLimit limit) {
    LimitDelay policy = ofPolicy(state, direction, owner);
    if (limit.delay().maxDelayMillis().isPresent()) {
      return limit.delay().maxDelayMillis();
    } else if (limit.delay().aqm().isPresent() && !limit.delay().aqm().get().codel()) {
      return OptionalInt.empty();
    } else if (policy.maxDelayMillis().isPresent()) {
      return policy.maxDelayMillis();
    }
    return policy.aqm().orElse(LimitAqm.DEFAULT).codel()
        ? OptionalInt.of(100)
        : OptionalInt.empty();
  }
}
