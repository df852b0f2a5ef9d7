package net.sluice.lab.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.sluice.lab.demo.household.Household;
import net.sluice.lab.demo.household.HouseholdChart;
import net.sluice.lab.demo.household.HouseholdReport;
import net.sluice.lab.report.chart.Axis;
import net.sluice.lab.report.chart.BarChart;
import net.sluice.lab.report.chart.HtmlPage;
import net.sluice.lab.report.chart.LineChart;
import net.sluice.lab.support.Figures;
import org.HdrHistogram.Histogram;

/** The demo's page: the table, and charts of what was measured. */
final class DemoPage {
  private static final int DISTRIBUTION_POINTS = 200;

  private DemoPage() {}

  /** Adds the bursts of one subscriber by each limiter, if they were sent. */
  static void addBursts(HtmlPage page, List<BurstComparison.ByLimiter> bursts) {
    if (bursts.isEmpty()) {
      return;
    }
    page.heading("A bursty subscriber by each limiter");
    page.paragraph(BurstComparison.text());
    page.table(BurstComparison.heads(), BurstComparison.lines(bursts));
    page.chart(BurstComparison.chart(bursts));
  }

  /** Adds the delays of a household, and those without what keeps them low. */
  static void addHousehold(
      HtmlPage page, HouseholdReport report, Household now, Optional<Household> bloat) {
    page.heading("A call and a game beside a download");
    page.paragraph(report.about());
    page.table(report.heads(), report.lines());
    page.chart(HouseholdChart.draw(now, bloat));
  }

  /** The page of a run. */
  static HtmlPage page(DemoReport report, RunResult result) {
    Meter meter = result.meter();
    HtmlPage page = new HtmlPage("Sluice demo");
    page.verdict(report.ok(), DemoText.verdict(report));
    page.list(report.reasons());
    page.table(DemoText.heads(report), DemoText.lines(report));
    DemoText.notes(report).forEach(page::paragraph);
    page.heading("Delivered and predicted");
    page.paragraph(
        "Predicted by water-filling over the policies' throughput-value functions, from what is"
            + " offered and granted alone. Whiskers: the subscribers of the group that got least"
            + " and most.");
    page.chart(shares(report));
    page.heading("Throughput over time");
    page.paragraph(
        "Mean of a group's subscribers. The first "
            + Figures.number(report.warmUpSeconds())
            + " s are warm-up: the marker learns the rates, and the congestion threshold finds its"
            + " value.");
    page.chart(throughput(report, meter));
    page.heading(report.isOfSeveralSwitches() ? "Time in queues" : "Time in the bottleneck queue");
    page.paragraph("Share of a group's packets that waited no longer.");
    page.chart(delays(report, meter));
    page.heading("Link utilisation");
    page.paragraph(
        "What arrived of the groups that pass the bottleneck"
            + (report.isOfSeveralSwitches() ? ", " + line(result.bottleneck()) + "," : "")
            + " as a share of its rate.");
    page.chart(utilisation(report, result));
    return page;
  }

  private static String shares(DemoReport report) {
    List<BarChart.Pair> pairs = new ArrayList<>();
    for (DemoReport.Group group : report.groups()) {
      pairs.add(
          new BarChart.Pair(
              group.name(),
              group.predictedBps(),
              group.deliveredBps(),
              group.deliveredBpsMin(),
              group.deliveredBpsMax()));
    }
    return BarChart.draw(
        "predicted and delivered rate per group",
        "bit/s per subscriber",
        "predicted",
        "delivered",
        Figures::shortRate,
        pairs);
  }

  private static String throughput(DemoReport report, Meter meter) {
    double largest = 0;
    List<LineChart.Series> series = new ArrayList<>();
    for (int g = 0; g < report.groups().size(); g++) {
      DemoReport.Group group = report.groups().get(g);
      double[] bps = meter.groupBps(g);
      for (int i = 0; i < bps.length; i++) {
        bps[i] /= group.subscribers();
        largest = Math.max(largest, bps[i]);
      }
      series.add(new LineChart.Series(group.name(), meter.intervalStarts(), bps));
    }
    return LineChart.draw(
        "throughput of every group over time",
        time(report),
        Axis.fromZero("bit/s per subscriber", largest, Figures::shortRate),
        true,
        series);
  }

  private static String utilisation(DemoReport report, RunResult result) {
    LinkLoad bottleneck = result.bottleneck();
    double[] share = new double[Meter.INTERVALS];
    for (int g = 0; g < report.groups().size(); g++) {
      if (!bottleneck.groups().contains(report.groups().get(g).name())) {
        continue;
      }
      double[] bps = result.meter().groupBps(g);
      for (int i = 0; i < share.length; i++) {
        share[i] += bps[i] / bottleneck.rateBps();
      }
    }
    return LineChart.draw(
        "utilisation of the bottleneck over time",
        time(report),
        Axis.fromZero("share of the bottleneck", 1, Figures::percent),
        true,
        List.of(new LineChart.Series("all groups", result.meter().intervalStarts(), share)));
  }

  private static String line(LinkLoad link) {
    return link.switchId() + " port " + link.port();
  }

  private static String delays(DemoReport report, Meter meter) {
    double longest = 1;
    List<LineChart.Series> series = new ArrayList<>();
    for (int g = 0; g < report.groups().size(); g++) {
      Histogram delays = meter.delaysNanos(g);
      if (delays.getTotalCount() == 0) {
        continue;
      }
      longest = Math.max(longest, delays.getMaxValue() / 1000.0);
      double[] micros = new double[DISTRIBUTION_POINTS + 1];
      double[] share = new double[DISTRIBUTION_POINTS + 1];
      for (int i = 0; i <= DISTRIBUTION_POINTS; i++) {
        share[i] = (double) i / DISTRIBUTION_POINTS;
        micros[i] = delays.getValueAtPercentile(100 * share[i]) / 1000.0;
      }
      series.add(new LineChart.Series(report.groups().get(g).name(), micros, share));
    }
    return LineChart.draw(
        "distribution of the time in the queue",
        Axis.fromZero("time in the queue", longest, Figures::micros),
        Axis.fromZero("share of packets", 1, Figures::percent),
        false,
        series);
  }

  private static Axis time(DemoReport report) {
    return Axis.linear(
        "virtual time in s", 0, report.warmUpSeconds() + report.virtualSeconds(), Figures::number);
  }
}
