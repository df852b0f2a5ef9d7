package net.sluice.core.network;

import static net.sluice.core.testing.NetworkRig.at;
import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.subscriber;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import net.sluice.core.ControllerConfig;
import net.sluice.core.ControllerEvent;
import net.sluice.core.ControllerException;
import net.sluice.core.ControllerListener;
import net.sluice.core.Declared;
import net.sluice.core.Outcome;
import net.sluice.core.declaration.Exported;
import net.sluice.core.engine.SlaController;
import net.sluice.core.store.InMemoryNetworkStore;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.NetworkRig;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.Gate;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Labels;
import net.sluice.intents.model.LimitTerms;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.SubscriberTerms;
import net.sluice.intents.model.aggregate.Aggregate;
import net.sluice.intents.model.aggregate.AggregateMarker;
import net.sluice.intents.model.aggregate.Aggregates;
import net.sluice.intents.model.policy.Aqm;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.policy.TrafficClass;
import net.sluice.intents.model.policy.TrafficClasses;
import net.sluice.intents.model.schedule.Schedule;
import net.sluice.intents.model.schedule.Span;
import net.sluice.intents.plan.Change;
import net.sluice.intents.profile.AggregateProfile;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.profile.ShapeProfile;
import net.sluice.intents.profile.SwitchProfile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Declarations that were accepted and cannot be beside each other at some time: what comes due then
 * is out of force, with a note, and a start serves what was served. It is noon of 2026-01-01; the
 * night is from 22:00 to 06:00.
 */
class OutOfForceTest {
  private static final Duration HALF_A_DAY = Duration.ofHours(12);
  private static final long M = 1_000_000;
  private static final Scope BOB = new Scope.OfSubscriber("b");
  private static final SwitchProfile SWITCH =
      TestNetwork.switchProfile(1_000)
          .withTrafficClasses(10)
          .withMeters(new MeterProfile(100))
          .withShaping(new ShapeProfile(100, 15_000_000))
          .withAggregates(new AggregateProfile(10, 10));

  private ControllerRig rig;

  @BeforeEach
  void open() {
    rig = ControllerRig.create(config(SWITCH, 156.25e6));
    rig.time.pass(HALF_A_DAY);
    accept(policy("gold", BuiltInFunction.GOLD));
    accept(policy("silver", BuiltInFunction.SILVER));
  }

  private static ControllerConfig.Builder config(SwitchProfile profile, double clockHz) {
    FpgaProfile fpga =
        new FpgaProfile(clockHz, 1248, 18, 1, 4, 64, 8, 1600, 32_767, 2000, 256 * 1024)
            .withClassShares(true);
    return ControllerConfig.builder(
            Path.of("unused"),
            TestNetwork.topology().withLoopPorts(List.of(505, 506, 507, 508)),
            profile,
            fpga)
        .queueCapacity(10_000_000)
        .auditInterval(Optional.empty());
  }

  // ---------------------------------------------------------------- what is declared

  private static Change classes(String id) {
    return new Change.Put(
        new Policy(
            id,
            BuiltInFunction.GOLD,
            Optional.empty(),
            new TrafficClasses(
                List.of(
                    new TrafficClass("voice", List.of(46), OptionalInt.of(1), OptionalInt.empty()),
                    new TrafficClass("rest", List.of(), OptionalInt.empty(), OptionalInt.of(1))))));
  }

  private static Change aqm(String id, int targetMicros) {
    return new Change.Put(
        new Policy(
            id,
            BuiltInFunction.GOLD,
            Optional.of(new Aqm.CoDel(AqmKind.CODEL_ACT, targetMicros, 100_000, false))));
  }

  private static SubscriberTerms.Holding.Has has(String policyId) {
    return new SubscriberTerms.Holding.Has(policyId);
  }

  private static <T> Schedule<T> nightly(T holds) {
    return from(22, holds);
  }

  private static <T> Schedule<T> from(int hour, T holds) {
    LocalTime begin = LocalTime.of(hour, 0);
    LocalTime end = LocalTime.of(6, 0);
    return new Schedule<>(
        List.of(
            new Schedule.Entry<>(
                new Span.Daily(begin, end, ZoneId.of("UTC"), Span.Daily.EVERY_DAY), holds)));
  }

  /** Of policy gold by day. */
  private static Change.Put byNight(String id, SubscriberTerms.Holding holds) {
    return timed(id, has("gold"), Optional.empty(), nightly(holds));
  }

  private static Change.Put suspended(
      String id, SubscriberTerms.Holding.Has otherwise, SubscriberTerms.Holding to) {
    return timed(id, otherwise, Optional.of(to), Schedule.empty());
  }

  private static Change.Put timed(
      String id,
      SubscriberTerms.Holding.Has otherwise,
      Optional<SubscriberTerms.Holding> suspendedTo,
      Schedule<SubscriberTerms.Holding> schedule) {
    Subscriber plain = subscriber(id, "10.0.0." + (int) id.charAt(0) + "/32");
    return new Change.Put(
        plain
            .withPolicy(otherwise.policyId())
            .withParts(
                plain
                    .parts()
                    .withUpstreamPolicy(otherwise.upstreamPolicyId())
                    .withTerms(SubscriberTerms.of(otherwise, suspendedTo, schedule))));
  }

  private static Change.Put plain(String id, String policyId) {
    return timed(id, has(policyId), Optional.empty(), Schedule.empty());
  }

  private static Change limit(Scope scope, Enforcement enforcement) {
    return limit(scope, Optional.of(enforcement), 10 * M, false, Schedule.empty());
  }

  private static Change limit(
      Scope scope,
      Optional<Enforcement> enforcement,
      long upBps,
      boolean suspended,
      Schedule<LimitTerms.Holding> schedule) {
    LimitTerms.Rates rates =
        new LimitTerms.Rates(OptionalLong.of(10 * M), OptionalLong.of(upBps), OptionalInt.empty());
    return new Change.Put(
        new RateLimit(
            "l",
            scope,
            rates.downBps(),
            rates.upBps(),
            rates.burstBytes(),
            enforcement,
            Gate.OPEN,
            OptionalInt.empty(),
            LimitTerms.of(rates, suspended, schedule)));
  }

  private static LimitTerms.Holding up(long upBps) {
    return new LimitTerms.Holding.At(
        new LimitTerms.Rates(OptionalLong.empty(), OptionalLong.of(upBps), OptionalInt.empty()));
  }

  private static Change contract(long cirBps) {
    Subscriber plain = subscriber("b", "10.0.0.98/32");
    return new Change.Put(
        plain.withParts(
            plain
                .parts()
                .withAggregates(
                    Aggregates.of(
                        List.of(
                            Aggregate.up(cirBps, 100_000, new AggregateMarker.TokenBucket()))))));
  }

  // ---------------------------------------------------------------- what is served

  private void accept(Change... changes) {
    for (Change change : changes) {
      rig.accept(change);
    }
    rig.time.pass(Duration.ofSeconds(1));
  }

  private String policyOf(String id) {
    return ((Subscriber) rig.controller.find(Kind.SUBSCRIBER, id).orElseThrow().declared())
        .policyId();
  }

  private List<String> notes(Kind kind, String id) {
    return rig.controller.find(kind, id).orElseThrow().notes();
  }

  private String outNote(Kind kind, String id) {
    return notes(kind, id).stream()
        .filter(note -> note.startsWith("out of force since "))
        .findFirst()
        .orElse("");
  }

  private Map<String, Object> served() {
    Map<String, Object> served = new HashMap<>();
    served.put("switch", new HashMap<>(rig.switchTarget.content()));
    served.put("down", new HashMap<>(rig.down.content()));
    served.put("up", new HashMap<>(rig.up.content()));
    for (String id : List.of("a", "b", "d1", "d2", "z", "l")) {
      for (Kind kind : List.of(Kind.SUBSCRIBER, Kind.RATE_LIMIT)) {
        Optional<Declared> found = rig.controller.find(kind, id);
        found.ifPresent(each -> served.put(kind + id, List.of(each.declared(), each.notes())));
      }
    }
    served.put("notes", rig.controller.notes());
    return served;
  }

  /** Kills the controller and starts one over what it had stored. */
  private void startsWithTheSame() {
    Map<String, Object> before = served();
    rig = rig.restart();
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(served()).isEqualTo(before);
  }

  /** By day, at night, and by day again. */
  private void alwaysStartsWithTheSame() {
    startsWithTheSame();
    rig.time.pass(HALF_A_DAY);
    startsWithTheSame();
    rig.time.pass(HALF_A_DAY);
    startsWithTheSame();
  }

  @Test
  void classesThatAScheduleBringsAreOutOfForceBesideAPolicedLimit() {
    accept(classes("cl"), byNight("b", has("cl")), limit(BOB, Enforcement.POLICE));
    startsWithTheSame();
    rig.time.pass(HALF_A_DAY);
    assertThat(policyOf("b")).isEqualTo("gold");
    assertThat(outNote(Kind.SUBSCRIBER, "b"))
        .isEqualTo(
            "out of force since 2026-01-01T22:00:00Z: schedule[0].policy cl: Policy cl has classes,"
                + " which only the FPGA serves; enforcement of rate limit l of subscriber b is"
                + " police.");
    assertThat(rig.controller.notes())
        .singleElement()
        .asString()
        .startsWith("1 scheduled change is out of force, such as: subscriber b is out of force");
    startsWithTheSame();
    // It comes into force as soon as it can, and not a moment later.
    rig.accept(limit(BOB, Enforcement.FPGA));
    rig.time.settle();
    assertThat(policyOf("b")).isEqualTo("cl");
    assertThat(rig.controller.notes()).isEmpty();
    startsWithTheSame();
  }

  @Test
  void theAnswerToAPutNamesTheMomentThatLaterAnswersName() {
    accept(classes("cl"), plain("b", "gold"), limit(BOB, Enforcement.POLICE));
    rig.time.pass(HALF_A_DAY.plusNanos(123_456));
    List<String> notes = rig.accept(byNight("b", has("cl"))).plan().notes();
    assertThat(notes).contains(outNote(Kind.SUBSCRIBER, "b"));
  }

  /** A policy with classes by night, beside a limit that meters enforce: out of force at night. */
  private void declareOneThatIsOut() {
    accept(classes("cl"), byNight("b", has("cl")), limit(BOB, Enforcement.POLICE));
    rig.time.pass(HALF_A_DAY);
    assertThat(outNote(Kind.SUBSCRIBER, "b")).startsWith("out of force since 2026-01-01T22:00:00Z");
  }

  private static Change.Put labelled(Change.Put put) {
    Subscriber subscriber = (Subscriber) put.declaration();
    return new Change.Put(
        subscriber.withParts(
            subscriber.parts().withLabels(new Labels(new TreeMap<>(Map.of("site", "north"))))));
  }

  @Test
  void whatIsOutOfForceIsChangedOtherwiseAndStaysOutOfForce() {
    declareOneThatIsOut();
    Change.Put labelled = labelled(byNight("b", has("cl")));
    for (boolean together : List.of(false, true)) {
      String before = outNote(Kind.SUBSCRIBER, "b");
      List<String> notes =
          together
              ? ((Outcome.Accepted)
                      rig.controller.applyTogether(List.of(labelled), false).outcomes().get(0))
                  .plan()
                  .notes()
              : rig.accept(labelled).plan().notes();
      assertThat(notes).contains(before);
      assertThat(policyOf("b")).isEqualTo("gold");
      assertThat(outNote(Kind.SUBSCRIBER, "b")).isEqualTo(before);
      rig.time.pass(Duration.ofSeconds(1));
      startsWithTheSame();
    }
    accept(limit(BOB, Enforcement.FPGA));
    assertThat(policyOf("b")).isEqualTo("cl");
    startsWithTheSame();
  }

  @Test
  void whatIsDeclaredIsTakenAtAnyTimeOfTheDay() {
    accept(classes("cl"), plain("b", "gold"), limit(BOB, Enforcement.POLICE));
    rig.time.pass(HALF_A_DAY);
    Outcome.Accepted made = rig.accept(byNight("b", has("cl")));
    assertThat(made.plan().notes())
        .contains(
            "out of force since 2026-01-02T00:00:03Z: schedule[0].policy cl: Policy cl has classes,"
                + " which only the FPGA serves; enforcement of rate limit l of subscriber b is"
                + " police.");
    assertThat(policyOf("b")).isEqualTo("gold");
    startsWithTheSame();
    accept(suspended("b", has("gold"), has("cl")));
    assertThat(policyOf("b")).isEqualTo("gold");
    assertThat(outNote(Kind.SUBSCRIBER, "b")).contains("suspended.policy cl: Policy cl has");
    startsWithTheSame();
    // Nothing else of it can be in force.
    assertThat(rig.controller.apply(plain("b", "cl")).isAccepted()).isFalse();
    assertThat(rig.controller.apply(suspended("b", has("cl"), has("cl"))).isAccepted()).isFalse();
    accept(limit(BOB, Enforcement.FPGA));
    assertThat(policyOf("b")).isEqualTo("cl");
  }

  @Test
  void whatIsInForceYieldsToOthersOfItsSet() {
    accept(classes("cl"), byNight("b", has("cl")));
    rig.time.pass(HALF_A_DAY);
    assertThat(policyOf("b")).isEqualTo("cl");
    List<Change> set = List.of(labelled(byNight("b", has("cl"))), limit(BOB, Enforcement.POLICE));
    assertThat(rig.controller.applyTogether(set, false).isMade()).isTrue();
    assertThat(policyOf("b")).isEqualTo("gold");
    assertThat(outNote(Kind.SUBSCRIBER, "b")).contains("schedule[0].policy cl: Policy cl has");
    rig.time.pass(Duration.ofSeconds(1));
    startsWithTheSame();
  }

  private static Change byNightByDayElsewhere(String id, String policyId) {
    Change.Put put = byNight(id, has(policyId));
    return put.elsewhere(Optional.of(put.declaration()));
  }

  @Test
  void whatIsNewComesAsItIsElsewhereUntilTheOthersHaveCome() {
    accept(classes("cl"));
    rig.time.pass(HALF_A_DAY);
    accept(byNightByDayElsewhere("b", "cl"));
    assertThat(policyOf("b")).isEqualTo("gold");
    accept(limit(BOB, Enforcement.POLICE));
    rig.time.pass(Duration.ofSeconds(7));
    accept(byNightByDayElsewhere("a", "cl"));
    rig.time.pass(Duration.ofSeconds(8));
    assertThat(policyOf("a")).isEqualTo("gold");
    rig.time.pass(Duration.ofSeconds(2));
    assertThat(policyOf("a")).isEqualTo("cl");
    assertThat(policyOf("b")).isEqualTo("gold");
    assertThat(outNote(Kind.SUBSCRIBER, "b")).contains("enforcement of rate limit l of subscriber");
    startsWithTheSame();
    // It is there.
    accept(byNightByDayElsewhere("a", "cl"));
    assertThat(policyOf("a")).isEqualTo("cl");
  }

  private static Change declared(Exported exported) {
    return new Change.Put(exported.put().declaration().asDeclared());
  }

  @Test
  void anExportIsTakenBackInOneSet() {
    declareOneThatIsOut();
    accept(aqm("slow", 9_000), aqm("fast", 1_000));
    accept(byNight("z", has("slow")));
    accept(byNight("a", has("fast")));
    assertThat(rig.controller.notes().get(0)).startsWith("2 scheduled changes are out of force");
    List<Change> exported = new ArrayList<>();
    rig.controller.export(each -> exported.add(declared(each)));
    ControllerRig other = ControllerRig.create(config(SWITCH, 156.25e6));
    other.time.pass(HALF_A_DAY.multipliedBy(2));
    assertThat(other.controller.applyTogether(exported, false).outcomes())
        .hasSameSizeAs(exported)
        .allMatch(Outcome::isAccepted);
    assertThat(other.controller.notes().get(0)).startsWith("2 scheduled changes are out of force");
    List<Change> again = new ArrayList<>();
    other.controller.export(each -> again.add(declared(each)));
    assertThat(again).isEqualTo(exported);
    other.close();
  }

  @Test
  void theOtherOrderIsAcceptedWithANote() {
    accept(classes("cl"), plain("b", "gold"), limit(BOB, Enforcement.POLICE));
    Change.Put byNight = byNight("b", has("cl"));
    assertThat(rig.accept(byNight).plan().notes())
        .contains(
            "could not be in force now: schedule[0].policy cl: Policy cl has classes, which only"
                + " the FPGA serves; enforcement of rate limit l of subscriber b is police.");
    assertThat(notes(Kind.SUBSCRIBER, "b")).anyMatch(note -> note.startsWith("could not be in"));
    alwaysStartsWithTheSame();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ofTwoThatWouldManageOneQueueAtOneTimeOneIsOutOfForce(boolean isFirstCalledLast) {
    String first = isFirstCalledLast ? "z" : "a";
    accept(aqm("slow", 9_000), aqm("fast", 1_000));
    accept(byNight(first, has("slow")), byNight("b", has("fast")));
    rig.time.pass(HALF_A_DAY);
    assertThat(policyOf(first)).isEqualTo("slow");
    assertThat(policyOf("b")).isEqualTo("gold");
    alwaysStartsWithTheSame();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "z"})
  void anAqmThatAScheduleBringsIsOutOfForceBesideAnotherOne(String id) {
    accept(aqm("a1", 5_000), aqm("a2", 9_000), byNight(id, has("a1")), plain("b", "a2"));
    startsWithTheSame();
    rig.time.pass(HALF_A_DAY);
    assertThat(policyOf(id)).isEqualTo("gold");
    assertThat(outNote(Kind.SUBSCRIBER, id)).contains("schedule[0].policy a1: Policy a1 has aqm");
    startsWithTheSame();
  }

  @Test
  void anAqmOfOneThatIsSuspendedStaysOutUntilItIsResumed() {
    accept(aqm("a1", 5_000), aqm("a2", 9_000));
    accept(suspended("z", has("a1"), has("gold")), plain("b", "a2"));
    alwaysStartsWithTheSame();
    assertThat(rig.controller.apply(plain("z", "a1")).isAccepted()).isFalse();
    accept(suspended("z", has("a1"), has("silver")));
  }

  @Test
  void aPolicyMayGetAnAqmLaterThatASchedulesPolicyExcludes() {
    accept(aqm("a2", 9_000), policy("a1", BuiltInFunction.GOLD));
    accept(byNight("z", has("a1")), plain("b", "a2"), aqm("a1", 5_000));
    alwaysStartsWithTheSame();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPolicyMayGetClassesLaterThatASchedulesPolicyExcludes(boolean isSuspended) {
    accept(policy("cl", BuiltInFunction.GOLD));
    accept(isSuspended ? suspended("b", has("cl"), has("gold")) : byNight("b", has("cl")));
    accept(limit(BOB, Enforcement.POLICE), classes("cl"));
    alwaysStartsWithTheSame();
  }

  @ParameterizedTest
  @ValueSource(strings = {"POLICE", "SHAPE"})
  void aLimitOfATreeMayExcludeTheClassesOfASchedule(String enforcement) {
    accept(classes("cl"), byNight("b", has("cl")));
    accept(limit(new Scope.OfTree(0, 3), Enforcement.valueOf(enforcement)));
    alwaysStartsWithTheSame();
  }

  @Test
  void classesOfOneThatIsSuspendedStayOutBesideAPolicedLimit() {
    SubscriberTerms.Holding.Has upstream =
        new SubscriberTerms.Holding.Has("gold", Optional.of("cl"));
    accept(classes("cl"), suspended("b", upstream, new SubscriberTerms.Holding.Stopped()));
    accept(limit(BOB, Enforcement.POLICE));
    alwaysStartsWithTheSame();
  }

  @Test
  void aLimitThatAScheduleLowersBelowAContractStaysAsItIs() {
    accept(plain("b", "gold"));
    accept(limit(BOB, Optional.empty(), 10 * M, false, nightly(up(M))), contract(5 * M));
    startsWithTheSame();
    rig.time.pass(HALF_A_DAY);
    assertThat(outNote(Kind.RATE_LIMIT, "l"))
        .isEqualTo(
            "out of force since 2026-01-01T22:00:00Z: schedule[0].upBps 1000000: Contracts of"
                + " aggregates commit 5000000 bit/s up of subscriber b; with rate limit l they may"
                + " add up to 1000000.");
    startsWithTheSame();
    accept(contract(M));
    assertThat(outNote(Kind.RATE_LIMIT, "l")).isEmpty();
    startsWithTheSame();
  }

  @Test
  void aContractMayBeAboveALimitThatIsSuspendedOrThatIsHigherNow() {
    accept(plain("b", "gold"));
    accept(limit(BOB, Optional.empty(), M, true, Schedule.empty()), contract(5 * M));
    alwaysStartsWithTheSame();
    accept(contract(M), limit(BOB, Optional.empty(), M, false, nightly(up(10 * M))));
    rig.time.pass(HALF_A_DAY);
    accept(contract(5 * M));
    startsWithTheSame();
    rig.time.pass(HALF_A_DAY);
    assertThat(outNote(Kind.RATE_LIMIT, "l")).contains(": upBps 1000000: Contracts of aggregates");
    startsWithTheSame();
  }

  @Test
  void whatIsOutOfForceForLongerComesFirst() {
    accept(aqm("slow", 9_000), aqm("fast", 1_000), aqm("other", 2_000));
    accept(timed("b", has("gold"), Optional.empty(), from(23, has("other"))));
    accept(byNight("z", has("fast")), byNight("a", has("slow")), plain("d", "slow"));
    rig.time.pass(HALF_A_DAY);
    assertThat(rig.controller.notes())
        .singleElement()
        .asString()
        .startsWith("2 scheduled changes are out of force, such as: subscriber z is out of force");
    startsWithTheSame();
    rig.accept(plain("d", "gold"));
    rig.accept(plain("a", "gold"));
    rig.time.settle();
    assertThat(policyOf("z")).isEqualTo("fast");
    assertThat(policyOf("b")).isEqualTo("gold");
    startsWithTheSame();
  }

  // ---------------------------------------------------------------- while no controller runs

  @Test
  void whatComesDueWhileNoControllerRunsIsInForceBeforeTheTargetsAreWrittenAndIsTold() {
    accept(aqm("slow", 9_000), aqm("fast", 1_000));
    accept(byNight("a", has("silver")), byNight("z", has("slow")), byNight("b", has("fast")));
    rig.controller.close();
    rig.time.pass(HALF_A_DAY);
    rig = rig.restart();
    List<String> told = new ArrayList<>();
    rig.controller.listen(
        new ControllerListener() {
          @Override
          public void on(ControllerEvent event) {
            if (event instanceof ControllerEvent.ChangeAccepted of) {
              told.add("scheduled " + of.change().id());
            } else if (event instanceof ControllerEvent.ChangeRefused of) {
              told.add("refused " + of.change().id());
            }
          }

          @Override
          public boolean keepsRecord() {
            return true;
          }
        });
    assertThat(policyOf("a")).isEqualTo("silver");
    assertThat(policyOf("z")).isEqualTo("slow");
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(told).containsExactly("scheduled a", "scheduled z", "refused b");
    startsWithTheSame();
  }

  // ---------------------------------------------------------------- what a start refuses

  @Test
  void whatAScheduleNamesHasToFitTheProfileOfTheStart() {
    accept(plain("b", "gold"));
    accept(limit(BOB, Optional.of(Enforcement.FPGA), 10 * M, false, nightly(up(150_000 * M))));
    ControllerConfig slow = config(SWITCH, 1e6).build();
    assertThatThrownBy(() -> rig.restart(slow, rig.store))
        .isInstanceOf(ControllerException.class)
        .hasMessageContaining("rate limit l: upBps of 150000000000 bit/s is beyond");
    rig = ControllerRig.create(TestNetwork.smallConfig());
    rig.time.pass(HALF_A_DAY);
    accept(policy("gold", BuiltInFunction.GOLD));
    accept(byNight("b", new SubscriberTerms.Holding.Stopped()));
    ControllerConfig unable = TestNetwork.smallConfig(TestNetwork.dividedSwitch(100)).build();
    assertThatThrownBy(() -> rig.restart(unable, rig.store))
        .isInstanceOf(ControllerException.class)
        .hasMessageContaining("subscriber b: ")
        .hasMessageContaining("cannot stop the traffic of a subscriber");
  }

  // ---------------------------------------------------------------- several switches

  @Test
  void onePairAtOneSwitchKeepsNoNetworkFromStartingAndNoSwitchFromBeingPut() throws Exception {
    try (NetworkRig network = NetworkRig.over(new InMemoryNetworkStore())) {
      ControllerConfig config = config(SWITCH, 156.25e6).build();
      network.add("bng1", config);
      network.add("bng2", config);
      network.open();
      network.time.pass(HALF_A_DAY);
      network.accept(policy("gold", BuiltInFunction.GOLD));
      network.accept(aqm("a1", 5_000));
      network.accept(aqm("a2", 9_000));
      network.accept(at("bng1", byNight("z", has("a1"))));
      network.accept(at("bng1", plain("b", "a2")));
      network.open();
      network.time.pass(Duration.ofSeconds(1));
      assertThat(network.controller.put(network.member("bng1", config))).isFalse();
      network.time.pass(HALF_A_DAY);
      network.open();
      network.time.pass(Duration.ofSeconds(1));
      assertThat(network.controller.put(network.member("bng1", config))).isFalse();
      assertThat(network.controller.find(Kind.SUBSCRIBER, "z").orElseThrow().notes())
          .anyMatch(
              note -> note.startsWith("out of force since 2026-01-01T22:00:00Z: schedule[0]"));
      assertThat(
              SlaController.check(
                      Map.of("bng1", config, "bng2", config), network.store, network.time)
                  .get("bng1"))
          .satisfies(found -> assertThat(found.misfits().isEmpty()).isTrue())
          .satisfies(
              found ->
                  assertThat(found.notes())
                      .anyMatch(note -> note.startsWith("1 scheduled change is out of force")));
    }
  }

  /** The switch was away as others deleted a policy that only its schedules named. */
  @Test
  void aSwitchThatComesBackBringsThePoliciesThatItsSchedulesName() {
    try (NetworkRig network = NetworkRig.over(new InMemoryNetworkStore())) {
      network.add("bng1", config(SWITCH, 156.25e6).build());
      network.add("bng2", config(SWITCH, 156.25e6).build());
      network.open();
      network.time.pass(HALF_A_DAY);
      network.accept(policy("gold", BuiltInFunction.GOLD));
      network.accept(policy("silver", BuiltInFunction.SILVER));
      network.accept(at("bng1", byNight("b", has("silver"))));
      network.open(List.of("bng2"));
      network.accept(new Change.Delete(Kind.POLICY, "silver"));
      network.open();
      network.time.pass(Duration.ofSeconds(1));
      assertThat(network.controller.leftOut()).isEmpty();
      assertThat(network.controller.find(Kind.POLICY, "silver")).isPresent();
    }
  }
}
