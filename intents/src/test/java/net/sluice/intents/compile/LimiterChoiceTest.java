package net.sluice.intents.compile;

import static net.sluice.intents.compile.Network.apply;
import static net.sluice.intents.compile.Network.put;
import static net.sluice.intents.compile.Network.subscriber;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.Gate;
import net.sluice.intents.model.LimitTerms;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.schedule.Schedule;
import net.sluice.intents.model.schedule.Span;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Grant;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.plan.Write;
import net.sluice.intents.plan.entry.limit.RateWord;
import net.sluice.intents.plan.entry.limit.SubscriberLimitEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.profile.ShapeProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.state.InMemorySlaState;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.Test;

/** What limits by meters are granted, and how limits that cannot be enforced are refused. */
class LimiterChoiceTest {
  private static final SwitchProfile METERED = Network.SWITCH.withMeters(new MeterProfile(2));
  private static final Topology NO_FPGA =
      Network.topology(OptionalInt.empty(), OptionalInt.empty());
  private static final Topology DOWN_ONLY =
      Network.topology(OptionalInt.of(4), OptionalInt.empty());

  private static final Topology LOOPS = NO_FPGA.withLoopPorts(List.of(500, 501, 502, 503));
  private static final SwitchProfile SHAPING = METERED.withShaping(new ShapeProfile(2, 15_000_000));

  private Compiler compiler;
  private InMemorySlaState state;

  private void on(Topology topology, SwitchProfile profile) {
    compiler = new Compiler(topology, profile, Network.FPGA);
    state = new InMemorySlaState(compiler);
    apply(compiler, state, Network.policy("gold", BuiltInFunction.GOLD));
    apply(compiler, state, put(subscriber("alice", "gold", 1, 3, "10.0.0.1/32")));
    apply(compiler, state, put(subscriber("bob", "gold", 1, 3, "10.0.0.2/32")));
  }

  private static RateLimit limit(Scope scope, long downBps, long upBps, Enforcement by) {
    return new RateLimit(
        "l",
        scope,
        downBps == 0 ? OptionalLong.empty() : OptionalLong.of(downBps),
        upBps == 0 ? OptionalLong.empty() : OptionalLong.of(upBps),
        OptionalInt.empty(),
        Optional.ofNullable(by));
  }

  private static RateLimit alice(long downBps, long upBps, Enforcement by) {
    return limit(new Scope.OfSubscriber("alice"), downBps, upBps, by);
  }

  private List<Problem> refused(RateLimit limit) {
    return catchThrowableOfType(Refusal.class, () -> compiler.compile(state, new Change.Put(limit)))
        .problems();
  }

  @Test
  void whereAnFpgaIsThereItShapesUnlessTheLimitAsksForPolice() {
    on(DOWN_ONLY, METERED);
    Plan shaped = apply(compiler, state, new Change.Put(alice(10_000_000, 10_000_000, null)));
    assertThat(shaped.notes())
        .startsWith(
            "downBps is shaped by the FPGA: the first within 2 % of its rates; police would grant"
                + " 10000000 bit/s",
            "upBps is policed by the switch's meters: no FPGA is connected in this direction");
    Plan policed =
        apply(compiler, state, new Change.Put(alice(10_000_000, 10_000_000, Enforcement.POLICE)));
    assertThat(policed.notes())
        .startsWith(
            "downBps is policed by the switch's meters: enforcement asks for it; fpga would grant"
                + " 10016026 bit/s",
            "upBps is policed by the switch's meters: enforcement asks for it");
    assertThat(policed.beginsAtSwitch()).isTrue();
    assertThat(policed.writes(TargetKey.SWITCH))
        .last()
        .satisfies(write -> assertThat(write.entity()).isInstanceOf(SubscriberPrefixEntry.class));
  }

  @Test
  void aRateIsWholeBytesThatEverySwitchReadsBack() {
    on(NO_FPGA, METERED);
    // 249 bytes a second become 248.99.. in bmv2's unit and back.
    Plan plan = apply(compiler, state, new Change.Put(alice(25_000_003, 249 * 8, null)));
    assertThat(plan.grants())
        .extracting(Grant::field, Grant::requested, Grant::granted)
        .containsExactly(
            tuple("burstBytes", 370_695.0, 370_695.0),
            tuple("downBps", 25_000_003.0, 25_000_008.0),
            tuple("burstBytes", 3_200.0, 3_200.0),
            tuple("upBps", 1_992.0, 1_984.0));
    assertThat(plan.notes())
        .contains(
            "downBps: rounded up to 25000008 bit/s, which every switch with meters keeps and"
                + " tells alike",
            "upBps: rounded down to 1984 bit/s, which every switch with meters keeps and tells"
                + " alike");
    for (long bytesPerSecond = 1; bytesPerSecond < 100_000; bytesPerSecond++) {
      long granted = MeterProfile.rateBps(8 * bytesPerSecond);
      double bmv2 = granted / 8 / 1_000_000.0;
      assertThat((long) (bmv2 * 1_000_000.0) * 8).isEqualTo(granted);
      // Some rates in a row are not read back; 56 bit/s are 0.3 % of 18,667.
      boolean isUp = 8 * bytesPerSecond >= 18_667;
      assertThat(granted - 8 * bytesPerSecond).isBetween(isUp ? 0L : -56L, 56L);
    }
  }

  @Test
  void whatIsNotThereIsRefusedByFieldValueAndWhatIsAllowed() {
    on(DOWN_ONLY, METERED);
    assertThat(refused(alice(1_000_000, 1_000_000, Enforcement.FPGA)))
        .containsExactly(
            new Problem(
                Problem.Code.INVALID,
                "enforcement",
                "fpga",
                "police",
                "No shaping FPGA is connected for the up direction."));
    on(DOWN_ONLY, Network.SWITCH);
    assertThat(refused(alice(1_000_000, 0, Enforcement.POLICE)))
        .containsExactly(
            new Problem(
                Problem.Code.INVALID,
                "enforcement",
                "police",
                "fpga",
                "The switch's program has no meters."));
    assertThat(refused(alice(1_000_000, 1_000_000, Enforcement.POLICE)))
        .extracting(Problem::allowed)
        .containsExactly("none: there is nothing that limits all of its directions");
    assertThat(refused(alice(0, 1_000_000, Enforcement.FPGA)))
        .extracting(Problem::allowed)
        .containsExactly("none: there is nothing that limits all of its directions");
    assertThat(refused(alice(0, 1_000_000, null)))
        .extracting(Problem::field)
        .containsExactly("upBps");
  }

  @Test
  void withoutAnFpgaTheSwitchShapesWhatItHoldsAndPolicesTheRest() {
    on(LOOPS, SHAPING);
    Plan shaped = apply(compiler, state, new Change.Put(alice(10_000_000, 59_999, null)));
    assertThat(shaped.notes())
        .containsExactly(
            "downBps is shaped by the switch: no FPGA is connected in this"
                + " direction; police would grant 10000000 bit/s",
            "upBps is policed by the switch's meters: no FPGA is connected in this direction;"
                + " shape cannot hold it, only 60000 to 100000000000 bit/s with bursts that its"
                + " buffer holds for a second",
            "downBps: the next above of the switch's rates, which are 0.27 % apart",
            "upBps: rounded up to 60000 bit/s, which every switch with meters keeps and tells"
                + " alike");
    assertThat(shaped.grants())
        .filteredOn(grant -> grant.limiter().equals(Optional.of(Enforcement.SHAPE)))
        .extracting(Grant::field, Grant::requested, Grant::granted)
        .containsExactly(tuple("downBps", 10_000_000.0, (double) RateWord.rateBps(2140)));
    assertThat(compiler.inForce(state, alice(10_000_000, 59_999, null)).notes())
        .isEqualTo(shaped.notes());
  }

  @Test
  void aShapedLimitIsPutInPlaceBeforeTheOtherGoes() {
    on(LOOPS, SHAPING);
    apply(compiler, state, new Change.Put(alice(10_000_000, 0, Enforcement.POLICE)));
    Plan plan = apply(compiler, state, new Change.Put(alice(10_000_000, 0, Enforcement.SHAPE)));
    assertThat(plan.writes(TargetKey.SWITCH))
        .extracting(Write::op, write -> write.entity().table())
        .containsExactly(
            tuple(Op.INSERT, Table.SUBSCRIBER_LIMIT), tuple(Op.DELETE, Table.SUBSCRIBER_METER));
    Plan faster = apply(compiler, state, new Change.Put(alice(20_000_000, 0, Enforcement.SHAPE)));
    assertThat(faster.writes(TargetKey.SWITCH))
        .extracting(Write::op, write -> write.entity())
        .containsExactly(
            tuple(
                Op.MODIFY,
                new SubscriberLimitEntry(1, Direction.DOWN, new Attachment(1, 3), 2396)));
  }

  @Test
  void whatTheSwitchCannotShapeIsRefused() {
    on(LOOPS, SHAPING);
    assertThat(refused(alice(59_999, 100_000_000_001L, Enforcement.SHAPE)))
        .containsExactly(
            new Problem(
                Problem.Code.INVALID,
                "downBps",
                "59999",
                "60000 to 100000000000 bit/s",
                "downBps of 59999 bit/s is not a rate that the switch shapes to."),
            new Problem(
                Problem.Code.INVALID,
                "upBps",
                "100000000001",
                "60000 to 100000000000 bit/s",
                "upBps of 100000000001 bit/s is not a rate that the switch shapes to."));
    assertThat(refused(burst(60_000, 8_054)))
        .extracting(Problem::field, Problem::value, Problem::allowed)
        .containsExactly(tuple("burstBytes", "8054", "1600 to 8053 bytes"));
    assertThat(refused(burst(1_000_000_000, 15_000_001)))
        .extracting(Problem::field, Problem::value, Problem::allowed)
        .containsExactly(tuple("burstBytes", "15000001", "1600 to 15000000 bytes"));
    on(NO_FPGA, SHAPING);
    assertThat(refused(alice(1_000_000, 0, Enforcement.SHAPE)))
        .containsExactly(
            new Problem(
                Problem.Code.INVALID,
                "enforcement",
                "shape",
                "police",
                "The topology has no loopPorts, in which packets could wait."));
    on(DOWN_ONLY, METERED);
    assertThat(refused(alice(1_000_000, 0, Enforcement.SHAPE)))
        .containsExactly(
            new Problem(
                Problem.Code.INVALID,
                "enforcement",
                "shape",
                "fpga or police",
                "The switch's program shapes no limits."));
    assertThatThrownBy(() -> new Compiler(LOOPS, METERED, Network.FPGA))
        .hasMessage(
            "loopPorts is [500, 501, 502, 503]; allowed: absent: the switch's program shapes no"
                + " limits");
  }

  private static final Topology ALL =
      Network.topology(OptionalInt.of(4), OptionalInt.of(5))
          .withLoopPorts(List.of(500, 501, 502, 503));

  private static Optional<Enforcement> limiterOf(Plan plan, String field) {
    return plan.grants().stream()
        .filter(grant -> grant.field().equals(field))
        .findFirst()
        .orElseThrow()
        .limiter();
  }

  @Test
  void theFirstLimiterWithinTwoPercentIsTaken() {
    on(ALL, SHAPING);
    Plan small = apply(compiler, state, new Change.Put(alice(1_500_000, 2_000_000, null)));
    assertThat(small.grants())
        .extracting(Grant::field, Grant::granted, Grant::limiter, Grant::others)
        .containsExactlyInAnyOrder(
            tuple(
                "downBps",
                1_501_993.0,
                Optional.of(Enforcement.SHAPE),
                Map.of(Enforcement.FPGA, 1_001_603L, Enforcement.POLICE, 1_500_000L)),
            tuple(
                "upBps",
                2_003_205.0,
                Optional.of(Enforcement.FPGA),
                Map.of(Enforcement.SHAPE, 2_001_304L, Enforcement.POLICE, 2_000_000L)));
    assertThat(small.notes())
        .contains(
            "downBps is shaped by the switch: the first within 2 % of its"
                + " rates; fpga would grant 1001603 bit/s; police would grant 1500000 bit/s",
            "upBps is shaped by the FPGA: the first within 2 % of its rates; shape would grant"
                + " 2001304 bit/s; police would grant 2000000 bit/s");
  }

  private static final Instant BEFORE = Instant.parse("2026-12-01T00:00:00Z");
  private static final Instant END = Instant.parse("2026-12-24T00:00:00Z");
  private static final Instant AFTER = Instant.parse("2027-01-01T00:00:00Z");

  /** A limit that has another rate until {@link #END}. */
  private static RateLimit until(long thenBps, long untilBps) {
    return new RateLimit(
        "l",
        new Scope.OfSubscriber("alice"),
        OptionalLong.of(thenBps),
        OptionalLong.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        Gate.OPEN,
        OptionalInt.empty(),
        LimitTerms.of(
            rates(thenBps),
            false,
            new Schedule<>(
                List.of(
                    new Schedule.Entry<>(
                        new Span.Until(END), new LimitTerms.Holding.At(rates(untilBps)))))));
  }

  private static LimitTerms.Rates rates(long downBps) {
    return new LimitTerms.Rates(
        OptionalLong.of(downBps), OptionalLong.empty(), OptionalInt.empty());
  }

  /** One limiter holds all the rates that a limit can have: the clock does not change it. */
  @Test
  void aLimiterIsTakenForTheRatesOfAllTimes() {
    on(ALL, SHAPING);
    for (Instant now : List.of(BEFORE, AFTER)) {
      Plan plan = apply(compiler, state, new Change.Put(until(10_000_000, 2_500_000).at(now)));
      assertThat(limiterOf(plan, "downBps")).contains(Enforcement.SHAPE);
      assertThat(plan.writes(TargetKey.fpga(Direction.DOWN))).isEmpty();
    }
    RateLimit off =
        new RateLimit(
            "l",
            new Scope.OfSubscriber("alice"),
            OptionalLong.of(2_500_000),
            OptionalLong.empty(),
            OptionalInt.empty(),
            Optional.empty(),
            Gate.OPEN,
            OptionalInt.empty(),
            LimitTerms.of(rates(2_500_000), true, Schedule.empty()));
    apply(compiler, state, new Change.Put(off.at(BEFORE)));
    assertThat(refused(alice(20_000_000, 0, null)))
        .extracting(Problem::field)
        .as("suspended, it is still the switch's")
        .containsExactly("enforcement");
  }

  /** What the declarations say decides, and nothing else: a new controller chooses alike. */
  @Test
  void noOtherRateChangesALimiterUnasked() {
    on(ALL, SHAPING);
    apply(compiler, state, new Change.Put(alice(2_500_000, 10_000_000, null)));
    apply(compiler, state, new Change.Put(alice(3_500_000, 20_000_000, null)));
    assertThat(refused(alice(3_000_000, 10_000_000, null)))
        .containsExactly(
            new Problem(
                Problem.Code.CONFLICT,
                "enforcement",
                "absent",
                "shape, as it is, or fpga",
                "downBps of rate limit l is enforced by shape and would now be by fpga; a limiter"
                    + " changes only where a request names it."));
    for (Enforcement named : List.of(Enforcement.SHAPE, Enforcement.FPGA)) {
      Plan plan = apply(compiler, state, new Change.Put(alice(3_000_000, 10_000_000, named)));
      assertThat(limiterOf(plan, "downBps")).contains(named);
    }
    assertThat(refused(alice(3_500_000, 10_000_000, null)))
        .extracting(Problem::field, Problem::value, Problem::allowed)
        .containsExactly(tuple("enforcement", "absent", "fpga, as it is, or shape"));
    Plan same = apply(compiler, state, new Change.Put(alice(4_000_000, 10_000_000, null)));
    assertThat(limiterOf(same, "downBps")).contains(Enforcement.FPGA);
  }

  /** A request for a burst that the switch cannot hold back is none for another limiter. */
  @Test
  void aBurstThatTheLimiterCannotHoldIsRefused() {
    on(LOOPS, SHAPING);
    apply(compiler, state, new Change.Put(alice(10_000_000, 0, null)));
    RateLimit large =
        new RateLimit(
            "l",
            new Scope.OfSubscriber("alice"),
            OptionalLong.of(10_000_000),
            OptionalLong.empty(),
            OptionalInt.of(100_000_000));
    assertThat(refused(large))
        .containsExactly(
            new Problem(
                Problem.Code.INVALID,
                "burstBytes",
                "100000000",
                "1600 to 1342177 bytes, or enforcement police",
                "burstBytes is 100000000; at this rate the switch holds 1600 (one packet) to"
                    + " 1342177 bytes."));
    Plan policed =
        apply(
            compiler,
            state,
            new Change.Put(large.withEnforcement(Optional.of(Enforcement.POLICE))));
    assertThat(limiterOf(policed, "downBps")).contains(Enforcement.POLICE);
  }

  private static RateLimit burst(long downBps, int burstBytes) {
    return new RateLimit(
        "l",
        new Scope.OfSubscriber("alice"),
        OptionalLong.of(downBps),
        OptionalLong.empty(),
        OptionalInt.of(burstBytes),
        Optional.of(Enforcement.SHAPE));
  }

  /** The FPGA has 64 queues a tree; a limit of a tree that the switch shapes has no such end. */
  @Test
  void aTreesLimitIsSharedByAnyNumberOfSubscribers() {
    on(LOOPS, Network.SWITCH.withShaping(new ShapeProfile(1 << 21, 15_000_000)));
    for (int i = 0; i < 1_000; i++) {
      apply(
          compiler,
          state,
          put(subscriber("s" + i, "gold", 0, 3, "10.1." + i / 250 + "." + i % 250 + "/32")));
    }
    Plan tree =
        apply(
            compiler,
            state,
            new Change.Put(limit(new Scope.OfTree(0, 3), 100_000_000, 0, Enforcement.SHAPE)));
    assertThat(tree.writes(TargetKey.SWITCH)).hasSize(1_001);
    assertThat(compiler.entries(state, Table.SUBSCRIBER_LIMIT)).isEqualTo(1_000);
    Plan faster =
        apply(
            compiler,
            state,
            new Change.Put(limit(new Scope.OfTree(0, 3), 200_000_000, 0, Enforcement.SHAPE)));
    assertThat(faster.writes(TargetKey.SWITCH))
        .extracting(Write::op, write -> write.entity().table())
        .containsExactly(tuple(Op.MODIFY, Table.TREE_LIMIT));
  }

  @Test
  void fullMetersAreRefusedByTheScope() {
    on(NO_FPGA, METERED);
    assertThat(refused(limit(new Scope.OfTree(1, 3), 1_000_000, 1_000_000, null)))
        .containsExactly(
            new Problem(
                Problem.Code.CAPACITY,
                "scope",
                "port 1 tree 3",
                "at most 2 more directions of policed subscribers",
                "The switch polices 2 directions of subscribers, 0 are policed, and this needs 4"
                    + " more."));
    apply(compiler, state, new Change.Put(limit(new Scope.OfTree(1, 3), 1_000_000, 0, null)));
    Refusal full =
        catchThrowableOfType(
            Refusal.class,
            () -> compiler.compile(state, put(subscriber("carol", "gold", 1, 3, "10.0.0.3/32"))));
    assertThat(full.problems()).extracting(Problem::field).containsExactly("attachment");
  }

  /** A start at which an FPGA came or went does not pass limits on by itself. */
  @Test
  void aLimiterIsKeptFromStartToStart() {
    on(NO_FPGA, METERED);
    apply(compiler, state, new Change.Put(alice(1_000_000, 0, null)));
    assertThat(RevalidationTest.misfits(state, compiler).isEmpty()).isTrue();
    Compiler cabled = new Compiler(DOWN_ONLY, METERED, Network.FPGA);
    assertThat(RevalidationTest.misfits(state, cabled).first())
        .singleElement()
        .asString()
        .isEqualTo(
            "subscriber alice: Subscriber alice is limited by rate limit l of subscriber alice,"
                + " which would change from the switch to the FPGA.");
    apply(compiler, state, new Change.Put(alice(1_000_000, 0, Enforcement.POLICE)));
    assertThat(RevalidationTest.misfits(state, cabled).isEmpty()).isTrue();
  }
}
