package net.sluice.lab.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import net.sluice.intents.model.policy.ThroughputValueFunction;
import net.sluice.intents.value.Direction;
import net.sluice.lab.demo.household.Household;
import net.sluice.lab.demo.household.HouseholdChart;
import net.sluice.lab.demo.household.HouseholdReport;
import net.sluice.lab.report.chart.Axis;
import net.sluice.lab.report.chart.BarChart;
import net.sluice.lab.report.chart.HtmlPage;
import net.sluice.lab.report.chart.LineChart;
import net.sluice.lab.report.chart.NetworkChart;
import net.sluice.lab.support.Figures;
import org.HdrHistogram.Histogram;

/** The demo's page: the table, and charts of what was measured. */
final class DemoPage {
  private static final int DISTRIBUTION_POINTS = 200;
  private static final int CURVE_POINTS = 120;
  private static final double LEAST_RATE_BPS = 1e4;
  private static final double MOST_RATE_BPS = 1e9;

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
  static HtmlPage page(DemoReport report, RunResult result, DemoOptions options) {
    Meter meter = result.meter();
    HtmlPage page = new HtmlPage("Sluice demo");
    page.verdict(report.ok(), DemoText.verdict(report));
    page.list(report.reasons());
    page.table(DemoText.heads(report), DemoText.lines(report));
    DemoText.notes(report).forEach(page::paragraph);
    page.heading("The network");
    page.paragraph(
        "Groups of subscribers, and the lines that their packets pass "
            + (options.network().direction() == Direction.DOWN ? "on the way to" : "from")
            + " them, with how busy each was.");
    page.chart(network(report, options));
    page.heading("The worth of a packet");
    page.paragraph(
        "Each packet gets a value by its subscriber's rate and policy. A full line drops those of"
            + " least value, so that it leaves every subscriber at about the same value: where the"
            + " curves cross that height, the rates are the shares.");
    page.chart(values(options));
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

  private static String network(DemoReport report, DemoOptions options) {
    boolean isDown = options.network().direction() == Direction.DOWN;
    List<List<NetworkChart.Box>> columns = new ArrayList<>();
    List<NetworkChart.Way> ways = new ArrayList<>();
    List<NetworkChart.Box> groups = new ArrayList<>();
    Map<Integer, List<NetworkChart.Box>> byDepth = new TreeMap<>();
    for (DemoReport.Group group : report.groups()) {
      groups.add(
          new NetworkChart.Box(
              group.name(),
              List.of(
                  group.subscribers() + " × " + Figures.shortRate(group.offeredBps()),
                  group.policy()
                      + (group.limitBps() == null
                          ? ""
                          : ", limit " + Figures.shortRate(group.limitBps())))));
      String last = null;
      int depth = 0;
      for (LinkLoad link : report.links()) {
        if (!link.groups().contains(group.name())) {
          continue;
        }
        NetworkChart.Box box =
            new NetworkChart.Box(
                line(link),
                List.of(
                    Figures.shortRate(link.rateBps()),
                    Figures.percent(link.utilization()) + " busy"));
        byDepth.values().forEach(boxes -> boxes.remove(box));
        byDepth.computeIfAbsent(depth++, none -> new ArrayList<>()).add(box);
        add(ways, last == null ? isDown ? null : group.name() : last, box.name());
        last = box.name();
      }
      add(ways, isDown ? last : null, group.name());
    }
    byDepth.values().removeIf(List::isEmpty);
    columns.addAll(byDepth.values());
    columns.add(isDown ? columns.size() : 0, groups);
    return NetworkChart.draw("the network of the demo", columns, ways);
  }

  private static void add(List<NetworkChart.Way> ways, String from, String to) {
    NetworkChart.Way way = from == null ? null : new NetworkChart.Way(from, to);
    if (way != null && !ways.contains(way)) {
      ways.add(way);
    }
  }

  private static String values(DemoOptions options) {
    List<LineChart.Series> series = new ArrayList<>();
    double least = Double.POSITIVE_INFINITY;
    double most = 1;
    for (String id : options.groups().stream().map(GroupSpec::policy).distinct().toList()) {
      ThroughputValueFunction function = options.policies().get(id).policy().function();
      double[] rates = new double[CURVE_POINTS + 1];
      double[] values = new double[CURVE_POINTS + 1];
      for (int i = 0; i <= CURVE_POINTS; i++) {
        rates[i] =
            LEAST_RATE_BPS * Math.pow(MOST_RATE_BPS / LEAST_RATE_BPS, (double) i / CURVE_POINTS);
        values[i] = Math.max(1, function.valueAt(rates[i]));
        least = Math.min(least, values[i]);
        most = Math.max(most, values[i]);
      }
      series.add(new LineChart.Series(id, rates, values));
    }
    return LineChart.draw(
        "value of a packet by rate and policy",
        Axis.decades("rate of the subscriber", LEAST_RATE_BPS, MOST_RATE_BPS, Figures::shortRate),
        Axis.decades("packet value", least, most, Figures::power),
        false,
        series);
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
        "rate of a subscriber",
        "predicted",
        "delivered",
        Figures::shortRate,
        pairs);
  }

  private static String throughput(DemoReport report, Meter meter) {
    double largest = 0;
    double smallest = Double.POSITIVE_INFINITY;
    List<LineChart.Series> series = new ArrayList<>();
    for (int g = 0; g < report.groups().size(); g++) {
      DemoReport.Group group = report.groups().get(g);
      double[] bps = meter.groupBps(g);
      for (int i = 0; i < bps.length; i++) {
        bps[i] /= group.subscribers();
        largest = Math.max(largest, bps[i]);
        smallest = bps[i] > 0 ? Math.min(smallest, bps[i]) : smallest;
      }
      series.add(new LineChart.Series(group.name(), meter.intervalStarts(), bps));
    }
    return LineChart.draw(
        "throughput of every group over time",
        time(report),
        Axis.fitting("rate of a subscriber", smallest, largest, Figures::shortRate),
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
    double shortest = Double.POSITIVE_INFINITY;
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
        shortest = micros[i] > 0 ? Math.min(shortest, micros[i]) : shortest;
      }
      series.add(new LineChart.Series(report.groups().get(g).name(), micros, share));
    }
    return LineChart.draw(
        "distribution of the time in the queue",
        Axis.fitting("time in the queue", shortest, longest, Figures::shortMicros),
        Axis.fromZero("share of packets", 1, Figures::percent),
        false,
        series);
  }

  private static Axis time(DemoReport report) {
    return Axis.linear(
        "virtual time in s",
        0,
        report.warmUpSeconds() + report.virtualSeconds(),
        Figures::shortNumber);
  }
}
