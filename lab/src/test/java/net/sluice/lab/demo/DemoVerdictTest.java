package net.sluice.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import net.sluice.cli.StartFailure;
import org.junit.jupiter.api.Test;

class DemoVerdictTest {
  private static final DemoOptions OPTIONS = options();

  private static DemoOptions options() {
    try {
      return DemoOptions.parse(
          new DemoOptions.Raw(
              List.of(),
              List.of(),
              "1G",
              null,
              "1500",
              "1",
              null,
              Path.of("demo.html").toString(),
              null,
              null,
              false));
    } catch (StartFailure e) {
      throw new IllegalStateException(e);
    }
  }

  private static GroupMeasurement measured(
      double deliveredBps, long sent, long limiterLost, long lost) {
    return new GroupMeasurement(
        deliveredBps,
        deliveredBps,
        deliveredBps,
        0,
        0,
        sent,
        limiterLost,
        lost,
        OptionalDouble.of(5000),
        OptionalDouble.of(6000));
  }

  private static List<String> reasons(
      String group, OptionalLong granted, double predicted, GroupMeasurement measured) {
    return reasons(group, granted, predicted, measured, 1);
  }

  private static List<String> reasons(
      String group,
      OptionalLong granted,
      double predicted,
      GroupMeasurement measured,
      double utilization) {
    return DemoVerdict.reasons(
        new DemoVerdict.Case(GroupSpec.parse(group), granted, predicted, measured, utilization),
        OPTIONS,
        5);
  }

  private static final OptionalLong NO_LIMIT = OptionalLong.empty();

  @Test
  void withinFivePercentIsOkOnBothSides() {
    String group = "g:gold:20:40M";
    assertThat(reasons(group, NO_LIMIT, 20e6, measured(19.01e6, 100_000, 0, 50_000))).isEmpty();
    assertThat(reasons(group, NO_LIMIT, 20e6, measured(20.99e6, 100_000, 0, 50_000))).isEmpty();
    assertThat(reasons(group, NO_LIMIT, 20e6, measured(18.9e6, 100_000, 0, 50_000)))
        .containsExactly(
            "g got 18.90 Mbit/s per subscriber, -5.5 % off the predicted 20.00 Mbit/s"
                + " (allowed: 5 %).");
    assertThat(reasons(group, NO_LIMIT, 20e6, measured(21.1e6, 100_000, 0, 50_000))).hasSize(1);
    assertThat(reasons(group, NO_LIMIT, 20e6, measured(Double.NaN, 0, 0, 0))).isNotEmpty();
  }

  @Test
  void aGroupWhoseMeanIsNotKnownIsNotJudged() {
    // 100 kbit/s are 42 packets in 5 s, of which 21 pass: 1.96 / sqrt(42), and a packet of 21.
    DemoVerdict.Case few =
        new DemoVerdict.Case(
            GroupSpec.parse("g:gold:1:100k"), NO_LIMIT, 50e3, measured(60e3, 42, 0, 17), 1);
    assertThat(DemoVerdict.uncertainty(few, OPTIONS, 5)).isCloseTo(0.35, within(0.005));
    assertThat(DemoVerdict.reasons(few, OPTIONS, 5)).isEmpty();
    assertThat(DemoVerdict.notJudged(few, OPTIONS, 5))
        .contains(
            "g is not judged: 42 packets of one subscriber in 5 s give its mean to within 35 %"
                + " (95 % confidence), and 5 % are to be told apart. Measure about 248 s"
                + " (--seconds), or more subscribers.");
    // Off by more than chance and margin together it is judged all the same.
    assertThat(reasons("g:gold:1:100k", NO_LIMIT, 50e3, measured(71e3, 42, 0, 12))).isNotEmpty();
    // Subscribers far apart make a mean uncertain too.
    GroupMeasurement apart =
        new GroupMeasurement(
            20e6,
            10e6,
            30e6,
            5e6,
            3,
            100_000,
            0,
            50_000,
            OptionalDouble.empty(),
            OptionalDouble.empty());
    DemoVerdict.Case wide =
        new DemoVerdict.Case(GroupSpec.parse("g:gold:4:40M"), NO_LIMIT, 20e6, apart, 1);
    assertThat(DemoVerdict.uncertainty(wide, OPTIONS, 5)).isCloseTo(0.245, within(0.001));
    assertThat(DemoVerdict.notJudged(wide, OPTIONS, 5)).isPresent();
  }

  @Test
  void aShareOfNothingIsHeldToAPacket() {
    String group = "s:flat:50:10M";
    // One packet of the 50 subscribers in 5 s: 48 bit/s each.
    assertThat(reasons(group, NO_LIMIT, 1e-170, measured(0, 100_000, 0, 100_000))).isEmpty();
    assertThat(reasons(group, NO_LIMIT, 47, measured(48, 100_000, 0, 99_999))).isEmpty();
    assertThat(reasons(group, NO_LIMIT, 1e-170, measured(49, 100_000, 0, 99_998)))
        .containsExactly(
            "s got 49.00 bit/s per subscriber, and no packet is predicted: what others are sent is"
                + " worth more and fills the line.");
    assertThat(reasons(group, NO_LIMIT, 1e-170, measured(Double.NaN, 0, 0, 0))).isNotEmpty();
  }

  @Test
  void whoAsksForLessThanItsShareMayLoseNearlyNothing() {
    String group = "light:gold:1:15M";
    assertThat(reasons(group, NO_LIMIT, 15e6, measured(15e6, 10_000, 0, 10))).isEmpty();
    assertThat(reasons(group, NO_LIMIT, 15e6, measured(14.99e6, 10_000, 0, 11)))
        .hasSize(2)
        .first()
        .asString()
        .contains("light")
        .contains("lost 0.11 %")
        .contains("0.1 %");
    // Whoever is sent more than its share loses the rest, and rightly so.
    assertThat(reasons("g:gold:1:40M", NO_LIMIT, 20e6, measured(20e6, 10_000, 0, 5_000))).isEmpty();
  }

  @Test
  void whatALimitTakesOffIsNotHeldAgainstAnyone() {
    String group = "capped:gold:1:25M:10M";
    OptionalLong granted = OptionalLong.of(10_016_026);
    double predicted = 10_016_026;
    assertThat(reasons(group, granted, predicted, measured(10e6, 10_000, 6_000, 6_000))).isEmpty();
    assertThat(reasons(group, granted, predicted, measured(10e6, 10_000, 6_000, 6_010)))
        .isNotEmpty();
  }

  @Test
  void aLimitAboveTheOfferIsNoExcuse() {
    OptionalLong granted = OptionalLong.of(50_080_000);
    assertThat(reasons("g:gold:1:15M:50M", granted, 15e6, measured(14.9e6, 10_000, 50, 50)))
        .isNotEmpty();
  }

  @Test
  void saysWhichLimitOfTheMechanismIsNear() {
    GroupMeasurement off = measured(5e6, 1_000_000, 0, 900_000);
    assertThat(reasons("g:gold:20:10G", NO_LIMIT, 1e6, off))
        .anyMatch(reason -> reason.contains("16 bits") && reason.contains("15 %"));
    assertThat(reasons("g:gold:1:100k", NO_LIMIT, 5e4, off))
        .anyMatch(reason -> reason.contains("Measure longer"))
        .anyMatch(reason -> reason.contains("every 120 ms"));
    assertThat(reasons("g:gold:1000:20k", NO_LIMIT, 8e3, off))
        .anyMatch(reason -> reason.contains("lowest rate bin"));
    assertThat(reasons("g:gold:20:15M", NO_LIMIT, 15e6, measured(15e6, 100_000, 0, 500)))
        .anyMatch(reason -> reason.contains("nearly its whole share"));
  }

  /** What a limiter lost is not put down to a line that had room. */
  @Test
  void aLineThatIsNotBusyIsNotBlamed() {
    GroupMeasurement lost = measured(2.96e6, 10_000, 7_000, 7_100);
    assertThat(reasons("g:gold:1:12M:3M", OptionalLong.of(3_000_000), 3e6, lost, 0.07))
        .containsExactly(
            "g asks for no more than its share and still lost 3.33 % of its packets (allowed: 0.1"
                + " %).",
            "The busiest line of g was sending 7 % of the time and took nothing away: what g lacks"
                + " its limiter has kept or dropped.");
    assertThat(reasons("g:gold:1:12M:3M", OptionalLong.of(3_000_000), 3e6, lost, 0.95))
        .last()
        .asString()
        .contains("the congestion threshold swings");
  }

  @Test
  void theDemoChoosesAsMuchTimeAsTheSmallestGroupNeeds() {
    List<GroupSpec> many = List.of(GroupSpec.parse("g:gold:20:40M"));
    DemoPhases short1 =
        DemoPhases.of(many, List.of(20e6), List.of(1_000_000_000L), 1500, OptionalDouble.empty());
    assertThat(short1).isEqualTo(new DemoPhases(3, 5));
    List<GroupSpec> few = List.of(GroupSpec.parse("g:gold:1:2M"));
    // 2 Mbit/s are 166.7 packets/s of which half pass: 1 / 0.008^2 / 166.7 = 93.75 s.
    DemoPhases longer =
        DemoPhases.of(few, List.of(1e6), List.of(10_000_000L), 1500, OptionalDouble.empty());
    assertThat(longer).isEqualTo(new DemoPhases(13, 94));
    assertThat(
            DemoPhases.of(few, List.of(1e6), List.of(100_000_000L), 1500, OptionalDouble.of(0.5)))
        .isEqualTo(new DemoPhases(5, 0.5));
  }
}
