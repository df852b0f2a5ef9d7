package net.sluice.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.sluice.lab.demo.household.Household;
import net.sluice.lab.demo.household.HouseholdReport;
import net.sluice.lab.report.chart.HtmlPage;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class DemoTextTest {
  private static DemoReport.Group group(String name, double shareBps, String notJudged) {
    return new DemoReport.Group(
        name,
        "switch",
        name,
        10,
        1_000_000,
        null,
        null,
        shareBps,
        shareBps,
        0.6 * shareBps,
        1.4 * shareBps,
        0.5,
        null,
        null,
        0.5,
        true,
        name + "-3",
        0.02,
        0.4,
        notJudged,
        null);
  }

  private static DemoReport report(DemoReport.Group... groups) {
    return report(null, groups);
  }

  private static DemoReport report(HouseholdReport household, DemoReport.Group... groups) {
    return new DemoReport(
        true, 1, 5, 1, 10_000_000, 1, List.of(groups), 3, 1500, List.of(), List.of(), household);
  }

  /** A household whose packets all took 2 ms. */
  private static Household household() {
    Map<Household.Flow, Histogram> delays = new EnumMap<>(Household.Flow.class);
    Map<Household.Flow, Double> rates = new EnumMap<>(Household.Flow.class);
    Map<Household.Flow, double[]> means = new EnumMap<>(Household.Flow.class);
    for (Household.Flow flow : Household.Flow.values()) {
      Histogram nanos = new Histogram(3);
      nanos.recordValue(2_000_000);
      delays.put(flow, nanos);
      rates.put(flow, flow == Household.Flow.DOWNLOAD ? 19e6 : flow.offeredBps());
      means.put(flow, new double[] {2e6, Double.NaN});
    }
    return new Household(delays, rates, means);
  }

  @Test
  void theHouseholdIsInTheTextAndOnThePage() {
    HouseholdReport household = HouseholdReport.of(household(), Optional.of(household()));
    DemoReport report = report(household, group("gold", 400e3, null));
    assertThat(DemoText.text(report))
        .contains("A household with a limit of 20.00 Mbit/s that the switch shapes")
        .containsPattern("\ncall +50 packets/s of 200 bytes +80.00 kbit/s +2.00 ms +2.00 ms +80")
        .containsPattern("\ndownload +4 TCP flows, Cubic +19.00 Mbit/s +2.00 ms +2.00 ms +19")
        .endsWith(
            "lost packets. The household's call and game take at most 10.00 ms at the 99th"
                + " percentile.\n");
    HtmlPage page = new HtmlPage("Sluice demo");
    DemoPage.addHousehold(page, household, household(), Optional.of(household()));
    assertThat(page.text()).contains("--bloat: delivered", "<svg", "game, --bloat");
  }

  @Test
  void equalSharesOfDifferentPoliciesAreExplained() {
    assertThat(DemoText.notes(report(group("gold", 200e3, null), group("silver", 200e3, null))))
        .contains(
            "gold and silver have equal shares although their policies differ: at 200.0 kbit/s"
                + " gold and silver value a packet alike, as the built-in curves do up to 234"
                + " kbit/s.");
    assertThat(DemoText.notes(report(group("gold", 400e3, null), group("silver", 350e3, null))))
        .noneMatch(note -> note.contains("equal shares"));
  }

  @Test
  void whatIsNotJudgedIsSaidInTheTableTheNotesAndTheVerdict() {
    DemoReport report = report(group("gold", 400e3, "gold is not judged."), group("x", 1e6, null));
    String text = DemoText.text(report);
    assertThat(text.lines().toList().get(1)).endsWith("not judged");
    assertThat(text)
        .contains("gold is not judged.\n")
        .endsWith(
            "ok: every group that could be judged got its predicted share within 5 %, and nobody"
                + " below its share lost packets. Not judged: gold.\n");
  }

  @Test
  void theWorstSubscriberIsNamedWithHowMuchThatSays() {
    String text = DemoText.text(report(group("gold", 400e3, null)));
    assertThat(text)
        .contains("gold-3 240.0 kbit/s")
        .contains("gold: in this time a single subscriber's rate is known to +-40 % only");
  }
}
