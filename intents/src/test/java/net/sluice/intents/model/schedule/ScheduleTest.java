package net.sluice.intents.model.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.OptionalParts;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.SubscriberTerms;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.Test;

class ScheduleTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private static Span.Daily daily(String from, String to, DayOfWeek... days) {
    Set<DayOfWeek> on = days.length == 0 ? Span.Daily.EVERY_DAY : EnumSet.copyOf(List.of(days));
    return new Span.Daily(LocalTime.parse(from), LocalTime.parse(to), BERLIN, on);
  }

  private static Schedule<String> schedule(Span... spans) {
    Schedule<String> all = Schedule.empty();
    for (int i = 0; i < spans.length; i++) {
      List<Schedule.Entry<String>> entries = new java.util.ArrayList<>(all.entries());
      entries.add(new Schedule.Entry<>(spans[i], Integer.toString(i)));
      all = new Schedule<>(entries);
    }
    return all;
  }

  /** The state at a moment: what holds, or "-", and the time of the next change. */
  private static String at(Schedule<String> schedule, String moment) {
    Schedule.Now<String> now = schedule.at(Instant.parse(moment));
    return now.holds().orElse("-") + " " + now.until().map(Instant::toString).orElse("never");
  }

  @Test
  void aNightBeginsInTheEveningAndEndsInTheMorningOfTheZone() {
    Schedule<String> night = schedule(daily("22:00", "06:00"));
    assertThat(at(night, "2026-01-10T20:59:59.999Z")).isEqualTo("- 2026-01-10T21:00:00Z");
    assertThat(at(night, "2026-01-10T21:00:00Z")).isEqualTo("0 2026-01-11T05:00:00Z");
    assertThat(at(night, "2026-01-11T04:59:59Z")).isEqualTo("0 2026-01-11T05:00:00Z");
    assertThat(at(night, "2026-01-11T05:00:00Z")).isEqualTo("- 2026-01-11T21:00:00Z");
    assertThat(at(night, "2026-07-10T20:00:00Z")).isEqualTo("0 2026-07-11T04:00:00Z");
  }

  @Test
  void daysAreThoseOnWhichItBegins() {
    // 9 January 2026 is a Friday.
    Schedule<String> friday = schedule(daily("22:00", "06:00", DayOfWeek.FRIDAY));
    assertThat(at(friday, "2026-01-09T22:00:00Z")).isEqualTo("0 2026-01-10T05:00:00Z");
    assertThat(at(friday, "2026-01-09T02:00:00Z")).isEqualTo("- 2026-01-09T21:00:00Z");
    assertThat(at(friday, "2026-01-10T22:00:00Z")).isEqualTo("- 2026-01-16T21:00:00Z");
  }

  @Test
  void theSameTimeTwiceIsAWholeDay() {
    Schedule<String> weekend =
        schedule(daily("00:00", "00:00", DayOfWeek.SATURDAY, DayOfWeek.SUNDAY));
    assertThat(at(weekend, "2026-01-09T23:00:00Z")).startsWith("0 ");
    assertThat(at(weekend, "2026-01-11T22:59:00Z")).isEqualTo("0 2026-01-11T23:00:00Z");
    assertThat(at(weekend, "2026-01-11T23:00:00Z")).isEqualTo("- 2026-01-16T23:00:00Z");
  }

  /** On 29 March 2026 clocks go from 02:00 to 03:00, on 25 October from 03:00 to 02:00. */
  @Test
  void clocksThatArePutChangeTheLengthOfANight() {
    Schedule<String> night = schedule(daily("22:00", "06:00"));
    assertThat(at(night, "2026-03-28T21:00:00Z")).isEqualTo("0 2026-03-29T04:00:00Z");
    assertThat(at(night, "2026-10-24T20:00:00Z")).isEqualTo("0 2026-10-25T05:00:00Z");
  }

  @Test
  void aTimeThatThereIsNotIsAsMuchLaterAndOneThatComesTwiceIsTheFirst() {
    Schedule<String> early = schedule(daily("02:30", "05:00"));
    assertThat(at(early, "2026-03-29T00:00:00Z")).isEqualTo("- 2026-03-29T01:30:00Z");
    assertThat(at(early, "2026-10-24T23:00:00Z")).isEqualTo("- 2026-10-25T00:30:00Z");
    assertThat(at(early, "2026-10-25T01:30:00Z")).isEqualTo("0 2026-10-25T04:00:00Z");
    // All of it is in the hour that there is not, or ends before it begins: that day has none.
    Schedule<String> gone = schedule(daily("02:30", "03:15"));
    assertThat(at(gone, "2026-03-29T00:00:00Z")).isEqualTo("- 2026-03-30T00:30:00Z");
  }

  @Test
  void theFirstOfSeveralCountsAndWhatIsOverNeverComesBack() {
    Schedule<String> both =
        schedule(new Span.Until(Instant.parse("2026-01-10T23:00:00Z")), daily("22:00", "06:00"));
    assertThat(at(both, "2026-01-10T20:00:00Z")).isEqualTo("0 2026-01-10T21:00:00Z");
    assertThat(at(both, "2026-01-10T22:00:00Z")).isEqualTo("0 2026-01-10T23:00:00Z");
    assertThat(at(both, "2026-01-10T23:00:00Z")).isEqualTo("1 2026-01-11T05:00:00Z");
    Schedule<String> over = schedule(new Span.Until(Instant.parse("2026-01-10T23:00:00Z")));
    assertThat(at(over, "2026-01-10T23:00:00Z")).isEqualTo("- never");
    assertThat(at(Schedule.empty(), "2026-01-10T23:00:00Z")).isEqualTo("- never");
  }

  /** Nothing changes before the time that is told, and that is later than now. */
  @Property(tries = 500, seed = "1")
  void nothingChangesBeforeTheNextTime(
      @ForAll("spans") Span first,
      @ForAll("spans") Span second,
      @ForAll("moments") Instant moment,
      @ForAll("parts") double part) {
    Schedule<String> schedule = schedule(first, second);
    Schedule.Now<String> now = schedule.at(moment);
    Instant end = now.until().orElse(moment.plus(Duration.ofDays(400)));
    assertThat(end).isAfter(moment);
    long within = (long) (part * Duration.between(moment, end).toMillis());
    Instant later = moment.plusMillis(within);
    if (later.isBefore(end)) {
      assertThat(schedule.at(later)).isEqualTo(new Schedule.Now<>(now.holds(), now.until()));
    }
  }

  @Provide
  Arbitrary<Double> parts() {
    return Arbitraries.doubles().between(0, 1);
  }

  @Provide
  Arbitrary<Instant> moments() {
    return Arbitraries.longs()
        .between(
            Instant.parse("2026-03-20T00:00:00Z").toEpochMilli(),
            Instant.parse("2026-11-01T00:00:00Z").toEpochMilli())
        .map(Instant::ofEpochMilli);
  }

  @Provide
  Arbitrary<Span> spans() {
    Arbitrary<LocalTime> times =
        Arbitraries.integers().between(0, 1439).map(minute -> LocalTime.ofSecondOfDay(60 * minute));
    Arbitrary<Span> daily =
        Combinators.combine(
                times,
                times,
                Arbitraries.of("Europe/Berlin", "Australia/Lord_Howe", "UTC").map(ZoneId::of),
                Arbitraries.of(DayOfWeek.values()).set().ofMinSize(1))
            .as(Span.Daily::new);
    return Arbitraries.oneOf(daily, moments().map(Span.Until::new));
  }

  @Test
  void eachTreatmentSaysThePolicyOfBothDirections() {
    SubscriberTerms.Holding.Has otherwise =
        new SubscriberTerms.Holding.Has("silver", Optional.of("gold"));
    Schedule<SubscriberTerms.Holding> schedule =
        new Schedule<>(
            List.of(
                new Schedule.Entry<>(
                    daily("22:00", "06:00"), new SubscriberTerms.Holding.Has("night")),
                new Schedule.Entry<>(
                    daily("06:00", "08:00"),
                    new SubscriberTerms.Holding.Has("silver", Optional.of("boost"))),
                new Schedule.Entry<>(
                    daily("08:00", "09:00"), new SubscriberTerms.Holding.Stopped())));
    Subscriber declared = withTerms(SubscriberTerms.of(otherwise, Optional.empty(), schedule));
    assertThat(policiesAt(declared, "2026-01-10T12:00:00Z")).containsExactly("silver", "gold");
    assertThat(policiesAt(declared, "2026-01-10T22:00:00Z")).containsExactly("night", "night");
    assertThat(policiesAt(declared, "2026-01-11T05:00:00Z")).containsExactly("silver", "boost");
    Subscriber stopped = declared.at(Instant.parse("2026-01-11T07:00:00Z"));
    assertThat(stopped.parts().stopped()).isTrue();
    assertThat(stopped.isSplit()).isFalse();
    assertThat(stopped.asDeclared()).isEqualTo(declared);

    Subscriber suspended =
        withTerms(
            SubscriberTerms.of(
                otherwise, Optional.of(new SubscriberTerms.Holding.Has("wall")), schedule));
    assertThat(policiesAt(suspended, "2026-01-11T05:00:00Z")).containsExactly("wall", "wall");
  }

  private static List<String> policiesAt(Subscriber declared, String moment) {
    Subscriber now = declared.at(Instant.parse(moment));
    return List.of(now.policyId(Direction.DOWN), now.policyId(Direction.UP));
  }

  private static Subscriber withTerms(Optional<SubscriberTerms> terms) {
    return new Subscriber(
        "alice",
        "silver",
        List.of(IpPrefix.parse("10.0.0.1/32")),
        Optional.empty(),
        new Attachment(0, 0),
        OptionalParts.NONE
            .withTerms(terms)
            .withUpstreamPolicy(terms.orElseThrow().otherwise().upstreamPolicyId()));
  }

  @Test
  void aSubscriberKeepsWhatWasDeclaredBesideWhatIsInForce() {
    Subscriber declared =
        new Subscriber(
            "alice",
            "silver",
            List.of(IpPrefix.parse("10.0.0.1/32")),
            Optional.empty(),
            new Attachment(0, 0),
            OptionalParts.NONE.withTerms(
                SubscriberTerms.of(
                    new SubscriberTerms.Holding.Has("silver"),
                    Optional.empty(),
                    new Schedule<>(
                        List.of(
                            new Schedule.Entry<>(
                                daily("22:00", "06:00"), new SubscriberTerms.Holding.Has("0")))))));
    Subscriber night = declared.at(Instant.parse("2026-01-10T22:00:00Z"));
    assertThat(night.policyId()).isEqualTo("0");
    assertThat(night.changesAt()).contains(Instant.parse("2026-01-11T05:00:00Z"));
    assertThat(night.at(Instant.parse("2026-01-11T05:00:00Z")).policyId()).isEqualTo("silver");
    assertThat(night.asDeclared()).isEqualTo(declared);
  }
}
