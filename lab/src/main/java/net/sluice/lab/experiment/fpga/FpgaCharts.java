package net.sluice.lab.experiment.fpga;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import net.sluice.lab.report.chart.Axis;
import net.sluice.lab.report.chart.HtmlPage;
import net.sluice.lab.report.chart.LineChart;
import net.sluice.lab.support.Figures;

/** Charts as the paper has them. */
final class FpgaCharts {
  private static final int POINTS = 600;
  private static final int PERCENT = 100;

  private FpgaCharts() {}

  /**
   * Figure 4: latency over time.
   *
   * @param every so many packets one is drawn
   */
  static HtmlPage.Figure latency(CoreBuild build, LineLoad.Result result, int every) {
    int points = Math.min(POINTS, result.clocks().length / every);
    double[] x = IntStream.range(0, points).mapToDouble(i -> (double) i * every).toArray();
    double[] y =
        IntStream.range(0, points)
            .mapToDouble(i -> result.clocks()[i * every])
            .map(clocks -> clocks < 0 ? Double.NaN : build.clock().micros(clocks))
            .toArray();
    double most = Arrays.stream(y).filter(Double::isFinite).max().orElse(1);
    return new HtmlPage.Figure(
        "Figure 4: latency over time, " + build.queues() + " queues",
        "99.9 Gbit/s of 1,474-byte packets, of all queues in turn; every " + every + "th packet.",
        LineChart.draw(
            "latency over time",
            Axis.fromZero("packet", x[points - 1], Figures::number),
            Axis.fromZero("latency, us", most, Figures::number),
            false,
            List.of(new LineChart.Series("core", x, y))));
  }

  /** Figure 6: how the gaps between packets are distributed. */
  static HtmlPage.Figure gaps(Flood flood, Flood.Result result) {
    CoreClock clock = flood.build().clock();
    long[] sorted = Arrays.stream(result.gapsClocks()).sorted().toArray();
    List<Double> x = new ArrayList<>();
    List<Double> y = new ArrayList<>();
    int step = Math.max(1, sorted.length / POINTS);
    for (int i = 0; i < sorted.length; i += step) {
      x.add(clock.micros(sorted[i]));
      y.add((double) PERCENT * (i + 1) / sorted.length);
    }
    double middle = clock.micros(flood.packetClocks());
    double side = Math.max(1, Math.max(middle - x.get(0), x.get(x.size() - 1) - middle));
    return new HtmlPage.Figure(
        "Figure 6: time between packets, " + flood.build().queues() + " queues",
        "1,000-byte packets of one queue at 100 Mbit/s: part of the gaps up to this long.",
        LineChart.draw(
            "time between packets",
            Axis.linear("gap, us", middle - side, middle + side, Figures::number),
            Axis.linear("gaps, %", 0, PERCENT, Figures::number),
            true,
            List.of(
                new LineChart.Series(
                    "core",
                    x.stream().mapToDouble(Double::doubleValue).toArray(),
                    y.stream().mapToDouble(Double::doubleValue).toArray()))));
  }

  /** Figure 7: latency over time under CoDel. */
  static HtmlPage.Figure codel(CodelRun.Result core, CodelRun.Result reference) {
    double[] x =
        IntStream.range(0, core.sampledMillis().length)
            .mapToDouble(i -> i * (CodelRun.SAMPLE_NANOS / 1e9))
            .toArray();
    double most =
        Math.max(
            Arrays.stream(core.sampledMillis()).max().orElse(1),
            Arrays.stream(reference.sampledMillis()).max().orElse(1));
    return new HtmlPage.Figure(
        "Figure 7: latency of three TCP flows under CoDel",
        "Longest in each 20 ms; the reference is RFC 8289's pseudocode in the same network.",
        LineChart.draw(
            "latency over time under CoDel",
            Axis.fromZero("time, s", x[x.length - 1], Figures::number),
            Axis.fromZero("latency, ms", most, Figures::number),
            false,
            List.of(
                new LineChart.Series("core", x, core.sampledMillis()),
                new LineChart.Series("reference", x, reference.sampledMillis()))));
  }
}
