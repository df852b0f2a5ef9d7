package net.sluice.core.network;

import static net.sluice.core.testing.NetworkRig.at;
import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.subscriber;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import net.sluice.core.ControllerEvent;
import net.sluice.core.Declared;
import net.sluice.core.Outcome;
import net.sluice.core.store.InMemoryNetworkStore;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.NetworkRig;
import net.sluice.core.testing.TestNetwork;
import net.sluice.core.testing.VirtualTime;
import net.sluice.intents.model.Gate;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.LimitTerms;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.SubscriberTerms;
import net.sluice.intents.model.policy.Aqm;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.schedule.Schedule;
import net.sluice.intents.model.schedule.Span;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.plan.Precondition;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Time begins at 2026-01-01T00:00:00Z. */
class ScheduledChangesTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Schedule<SubscriberTerms.Holding> NIGHT =
      new Schedule<>(List.of(night(has("silver"))));

  private ControllerRig rig;

  @BeforeEach
  void declare() {
    rig = ControllerRig.create(TestNetwork.smallConfig().auditInterval(Optional.empty()));
    rig.time.pass(Duration.ofSeconds(1));
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    rig.accept(policy("silver", BuiltInFunction.SILVER));
    rig.time.settle();
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private static SubscriberTerms.Holding has(String policyId) {
    return new SubscriberTerms.Holding.Has(policyId);
  }

  private static <T> Schedule.Entry<T> night(T holds) {
    return new Schedule.Entry<>(
        new Span.Daily(
            LocalTime.of(22, 0), LocalTime.of(6, 0), ZoneId.of("UTC"), Span.Daily.EVERY_DAY),
        holds);
  }

  private <T> Schedule.Entry<T> boost(VirtualTime time, Duration length, T holds) {
    return new Schedule.Entry<>(new Span.Until(time.instant().plus(length)), holds);
  }

  private static Subscriber timed(
      String id,
      String prefix,
      Optional<SubscriberTerms.Holding> suspendedTo,
      Schedule<SubscriberTerms.Holding> schedule) {
    Subscriber always = subscriber(id, prefix);
    return always.withParts(
        always
            .parts()
            .withTerms(
                SubscriberTerms.of(
                    new SubscriberTerms.Holding.Has(always.policyId()), suspendedTo, schedule)));
  }

  private static Change.Put timed(
      String id, String prefix, Schedule<SubscriberTerms.Holding> schedule) {
    return new Change.Put(timed(id, prefix, Optional.empty(), schedule));
  }

  private static RateLimit limit(
      String id, Scope scope, boolean suspended, Schedule<LimitTerms.Holding> schedule) {
    LimitTerms.Rates rates =
        new LimitTerms.Rates(
            OptionalLong.of(50_000_000), OptionalLong.of(10_000_000), OptionalInt.empty());
    return new RateLimit(
        id,
        scope,
        rates.downBps(),
        rates.upBps(),
        rates.burstBytes(),
        Optional.empty(),
        Gate.OPEN,
        OptionalInt.empty(),
        LimitTerms.of(rates, suspended, schedule));
  }

  private static LimitTerms.Holding down(long bps) {
    return new LimitTerms.Holding.At(
        new LimitTerms.Rates(OptionalLong.of(bps), OptionalLong.empty(), OptionalInt.empty()));
  }

  /** The policy slots of the prefixes that the switch has. */
  private List<Integer> slots() {
    return rig.switchTarget.content().values().stream()
        .filter(SubscriberPrefixEntry.class::isInstance)
        .map(entry -> ((SubscriberPrefixEntry) entry).data().policySlot())
        .toList();
  }

  private String policyOf(String id) {
    return ((Subscriber) rig.controller.find(Kind.SUBSCRIBER, id).orElseThrow().declared())
        .policyId();
  }

  /** Words of the FPGA of a direction that limit something. */
  private List<Integer> words(Direction direction) {
    var fpga = direction == Direction.DOWN ? rig.down : rig.up;
    int unlimited =
        fpga.content().values().stream()
            .filter(RateWord.class::isInstance)
            .mapToInt(word -> ((RateWord) word).word())
            .max()
            .orElseThrow();
    return fpga.content().values().stream()
        .filter(RateWord.class::isInstance)
        .map(word -> ((RateWord) word).word())
        .filter(word -> word != unlimited)
        .toList();
  }

  @Test
  void anEveningBringsTheNightsPolicyAndAMorningTakesItBack() {
    rig.accept(timed("alice", "10.0.0.1/32", NIGHT));
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(slots()).containsExactly(2);
    rig.time.pass(HOUR.multipliedBy(6));
    assertThat(slots()).containsExactly(1);
    rig.time.pass(HOUR.multipliedBy(15));
    assertThat(slots()).containsExactly(1);
    rig.time.pass(HOUR);
    assertThat(slots()).containsExactly(2);
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "alice").orElseThrow().declared().changesAt())
        .contains(Instant.parse("2026-01-02T06:00:00Z"));
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
    assertThat(rig.events)
        .filteredOn(ControllerEvent.ChangeAccepted.class::isInstance)
        .hasSize(2 + 1 + 2);
  }

  /** An error ends one look, and not all schedules. */
  @Test
  void aMomentThatFailedWithAnErrorIsTriedAgain() {
    rig.accept(timed("alice", "10.0.0.1/32", NIGHT));
    rig.time.pass(Duration.ofSeconds(1));
    rig.compiler.failNext(new StackOverflowError("deep"));
    rig.time.pass(HOUR.multipliedBy(6));
    assertThat(slots()).as("tried again in the night").containsExactly(1);
    rig.compiler.failNext(new StackOverflowError("deep"));
    rig.time.pass(HOUR.multipliedBy(16));
    assertThat(slots()).as("and in the evening").containsExactly(2);
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  @Test
  void nothingIsDoneWhileNothingIsDue() {
    rig.accept(timed("alice", "10.0.0.1/32", NIGHT));
    rig.time.pass(Duration.ofSeconds(1));
    int before = rig.compiler.takeCount();
    assertThat(before).isPositive();
    rig.time.pass(HOUR.multipliedBy(5));
    assertThat(rig.compiler.takeCount()).isZero();
  }

  @Test
  void aBoostThatEndedWhileTheControllerWasDownIsOverAtTheStart() {
    rig.accept(
        new Change.Put(
            limit(
                "alice-limit",
                alice(),
                false,
                new Schedule<>(
                    List.of(boost(rig.time, HOUR.multipliedBy(2), down(200_000_000)))))));
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(words(Direction.DOWN)).containsExactly(200);
    assertThat(words(Direction.UP)).containsExactly(10);
    rig = rig.restart();
    rig.time.pass(HOUR);
    assertThat(words(Direction.DOWN)).containsExactly(200);
    // It is killed, and time passes on.
    rig.controller.close();
    rig.time.pass(HOUR.multipliedBy(3));
    rig = rig.restart();
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(words(Direction.DOWN)).containsExactly(50);
    assertThat(rig.controller.find(Kind.RATE_LIMIT, "alice-limit").orElseThrow().declared())
        .satisfies(declared -> assertThat(declared.changesAt()).isEmpty());
  }

  private Scope alice() {
    rig.accept(TestNetwork.put("alice", "10.0.0.1/32"));
    return new Scope.OfSubscriber("alice");
  }

  @Test
  void aSuspendedLimitLimitsNothingOverRestartsUntilItIsResumed() throws Exception {
    Scope alice = alice();
    rig.accept(new Change.Put(limit("alice-limit", alice, true, Schedule.empty())));
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(words(Direction.DOWN)).isEmpty();
    rig = rig.restart();
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(words(Direction.DOWN)).isEmpty();
    Declared found = rig.controller.find(Kind.RATE_LIMIT, "alice-limit").orElseThrow();
    assertThat(found.notes()).contains("suspended for now: limits nothing");
    assertThat(found.grants()).isEmpty();
    rig.accept(new Change.Put(limit("alice-limit", alice, false, Schedule.empty())));
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(words(Direction.DOWN)).containsExactly(50);
    rig.accept(new Change.Put(limit("alice-limit", alice, true, Schedule.empty())));
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(words(Direction.DOWN)).isEmpty();
    assertThat(
            rig.controller
                .whenInstalled(Kind.RATE_LIMIT, "alice-limit", Duration.ofSeconds(1))
                .getNow(false))
        .isTrue();
    rig.controller.reconcile("fpga-down");
    rig.controller.reconcile("switch");
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(rig.controller.drift("fpga-down").compared().tables()).isEmpty();
    assertThat(rig.controller.drift("switch").compared().tables()).isEmpty();
  }

  @Test
  void aSuspendedLimitOfAnEmptyTreeIsInstalledAtOnce() {
    rig.accept(new Change.Put(limit("tree", new Scope.OfTree(0, 2), true, Schedule.empty())));
    assertThat(
            rig.controller
                .whenInstalled(Kind.RATE_LIMIT, "tree", Duration.ofSeconds(1))
                .getNow(false))
        .isTrue();
  }

  @Test
  void aSuspendedSubscriberHasThatPolicyWhateverItsSchedule() {
    rig.accept(policy("walled", BuiltInFunction.SILVER));
    rig.accept(new Change.Put(timed("alice", "10.0.0.1/32", Optional.of(has("walled")), NIGHT)));
    rig.time.pass(HOUR.multipliedBy(30));
    assertThat(slots()).containsExactly(3);
    rig = rig.restart();
    rig.time.pass(HOUR.multipliedBy(3));
    assertThat(slots()).containsExactly(3);
    rig.accept(timed("alice", "10.0.0.1/32", NIGHT));
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(slots()).containsExactly(1);
  }

  @Test
  void theTrafficOfASuspendedSubscriberIsStoppedOverRestarts() throws Exception {
    SubscriberTerms.Holding stopped = new SubscriberTerms.Holding.Stopped();
    rig.accept(new Change.Put(timed("alice", "10.0.0.1/32", Optional.of(stopped), NIGHT)));
    rig.accept(timed("bob", "10.0.0.2/32", new Schedule<>(List.of(night(stopped)))));
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(slots()).containsExactlyInAnyOrder(255, 255);
    rig = rig.restart();
    rig.time.pass(HOUR.multipliedBy(7));
    assertThat(slots()).containsExactlyInAnyOrder(255, 1);
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "alice").orElseThrow().notes())
        .containsExactly("suspended for now: its packets are dropped");
    rig.controller.reconcile("switch");
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(rig.controller.drift("switch").compared().tables()).isEmpty();
    assertThat(rig.controller.apply(new Change.Delete(Kind.POLICY, "gold")).isAccepted()).isFalse();
    rig.accept(TestNetwork.put("alice", "10.0.0.1/32"));
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(slots()).containsExactlyInAnyOrder(1, 1);
  }

  @Test
  void aPolicyThatAScheduleNamesCannotGo() {
    rig.accept(timed("alice", "10.0.0.1/32", NIGHT));
    rig.time.pass(HOUR.multipliedBy(7));
    assertThat(policyOf("alice")).isEqualTo("gold");
    assertThat(rig.controller.apply(new Change.Delete(Kind.POLICY, "silver")))
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            refused ->
                assertThat(refused.problems().get(0).detail())
                    .isEqualTo(
                        "Policy silver is what 1 subscriber may come to have by schedule or"
                            + " suspension, or had before: alice."));
    rig = rig.restart();
    assertThat(rig.controller.apply(new Change.Delete(Kind.POLICY, "silver")).isAccepted())
        .isFalse();
    rig.accept(TestNetwork.put("alice", "10.0.0.1/32"));
    rig.accept(new Change.Delete(Kind.POLICY, "silver"));
  }

  @Test
  void aPolicyThatIsNotThereIsRefusedWithItsField() {
    Outcome outcome =
        rig.controller.apply(
            timed("alice", "10.0.0.1/32", new Schedule<>(List.of(night(has("bronze"))))));
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            refused ->
                assertThat(refused.problems())
                    .extracting(each -> each.field())
                    .containsExactly("schedule[0].policy"));
    Outcome beyond =
        rig.controller.apply(
            new Change.Put(
                limit(
                    "tree",
                    new Scope.OfTree(0, 2),
                    false,
                    new Schedule<>(List.of(night(down(999_999_999_999_999L)))))));
    assertThat(beyond)
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            refused ->
                assertThat(refused.problems())
                    .extracting(each -> each.field())
                    .containsExactly("schedule[0].downBps"));
  }

  private static Policy managed(String id, int targetMicros) {
    return new Policy(
        id,
        BuiltInFunction.GOLD,
        Optional.of(new Aqm.CoDel(AqmKind.CODEL_ACT, targetMicros, 100_000, false)));
  }

  /** Two schedules whose policies manage the same queue differently, at the same time. */
  @Test
  void aRefusedChangeIsTriedAgainAndToldOnceAndInTheNotes() {
    rig.accept(new Change.Put(managed("slow", 5_000)));
    rig.accept(new Change.Put(managed("fast", 1_000)));
    rig.accept(timed("alice", "10.0.0.1/32", new Schedule<>(List.of(night(has("slow"))))));
    rig.time.pass(HOUR.multipliedBy(12));
    assertThat(policyOf("alice")).isEqualTo("gold");
    rig.accept(timed("bob", "10.0.0.2/32", new Schedule<>(List.of(night(has("fast"))))));
    rig.time.pass(HOUR.multipliedBy(12));
    assertThat(policyOf("alice")).isEqualTo("slow");
    assertThat(policyOf("bob")).isEqualTo("gold");
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "bob").orElseThrow().notes())
        .anySatisfy(
            note ->
                assertThat(note)
                    .startsWith(
                        "out of force since 2026-01-01T22:00:00Z: schedule[0].policy fast: Policy"
                            + " fast has aqm"));
    assertThat(rig.controller.notes())
        .singleElement()
        .asString()
        .startsWith(
            "1 scheduled change is out of force, such as: subscriber bob is out of force since"
                + " 2026-01-01T22:00:00Z: schedule[0].policy fast: Policy fast has aqm");
    assertThat(rig.events).filteredOn(ControllerEvent.ChangeRefused.class::isInstance).hasSize(1);
    // Once alice is out of the way it comes into force.
    rig.accept(TestNetwork.put("alice", "10.0.0.1/32"));
    rig.time.pass(Duration.ofMinutes(1));
    assertThat(policyOf("bob")).isEqualTo("fast");
    assertThat(rig.controller.notes()).isEmpty();
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "bob").orElseThrow().notes())
        .noneMatch(note -> note.contains("out of force"));
  }

  @Test
  void manyThatAreDueTogetherAllChangeAlsoWhenTheClockIsPutBack() {
    List<Change> all = new ArrayList<>();
    for (int i = 0; i < 2_500; i++) {
      all.add(timed("s" + i, "10.0." + i / 250 + "." + i % 250 + "/32", NIGHT));
    }
    assertThat(rig.controller.applyAll(all)).allMatch(Outcome::isAccepted);
    rig.time.pass(HOUR.multipliedBy(7));
    assertThat(slots()).hasSize(2_500).containsOnly(1);
    rig.time.putClock(HOUR.multipliedBy(-3));
    rig.time.pass(Duration.ofMinutes(1));
    assertThat(slots()).hasSize(2_500).containsOnly(2);
    rig.time.putClock(HOUR.multipliedBy(3));
    rig.time.pass(Duration.ofMinutes(1));
    assertThat(slots()).hasSize(2_500).containsOnly(1);
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  @Test
  void aClientsChangeOfWhatAScheduleChangedMeanwhileIsMade() {
    rig.accept(timed("alice", "10.0.0.1/32", NIGHT));
    Declared known = rig.controller.find(Kind.SUBSCRIBER, "alice").orElseThrow();
    rig.time.pass(HOUR.multipliedBy(7));
    rig.accept(
        new Change.Put(
            subscriber("alice", "10.0.0.9/32"),
            Optional.empty(),
            new Precondition.InForce(known.declared(), Optional.empty())));
  }

  @Test
  void anExportHasWhatWasDeclared() {
    Change.Put declared = timed("alice", "10.0.0.1/32", NIGHT);
    rig.accept(declared);
    rig.time.pass(HOUR);
    List<Change.Put> exported = new ArrayList<>();
    rig.controller.export(each -> exported.add(each.put()));
    assertThat(exported.get(2).declaration().asDeclared()).isEqualTo(declared.declaration());
  }

  @Test
  void aSubscriberThatMovesIsNotFetchedBackByItsSchedule() {
    try (NetworkRig network = NetworkRig.over(new InMemoryNetworkStore())) {
      for (String name : List.of("bng1", "bng2")) {
        network.add(name, TestNetwork.smallConfig().auditInterval(Optional.empty()).build());
      }
      network.open();
      network.time.pass(Duration.ofSeconds(1));
      network.accept(policy("gold", BuiltInFunction.GOLD));
      network.accept(policy("silver", BuiltInFunction.SILVER));
      network.accept(at("bng1", timed("alice", "10.0.0.1/32", NIGHT)));
      network.time.pass(Duration.ofSeconds(1));
      network.switches.get("bng2").reachable(false);
      network.time.pass(Duration.ofSeconds(1));
      network.accept(at("bng2", timed("alice", "10.0.0.1/32", NIGHT)));
      network.time.pass(HOUR.multipliedBy(7));
      Declared found = network.controller.find(Kind.SUBSCRIBER, "alice").orElseThrow();
      assertThat(found.switchName()).contains("bng2");
      assertThat(((Subscriber) found.declared()).policyId()).isEqualTo("gold");
      assertThat(found.leaving()).hasSize(1);
      network.switches.get("bng2").reachable(true);
      network.time.pass(HOUR);
      assertThat(network.controller.find(Kind.SUBSCRIBER, "alice").orElseThrow().leaving())
          .isEmpty();
      network.time.pass(HOUR.multipliedBy(15));
      assertThat(
              ((Subscriber)
                      network.controller.find(Kind.SUBSCRIBER, "alice").orElseThrow().declared())
                  .policyId())
          .isEqualTo("silver");
    }
  }
}
