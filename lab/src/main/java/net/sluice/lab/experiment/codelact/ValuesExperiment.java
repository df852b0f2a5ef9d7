package net.sluice.lab.experiment.codelact;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.lab.experiment.Cases;
import net.sluice.lab.experiment.Experiment;
import net.sluice.lab.experiment.Notes;
import net.sluice.lab.report.PaperFigure;
import net.sluice.lab.report.Row;
import net.sluice.lab.report.RunPage;
import net.sluice.lab.report.RunReport;
import net.sluice.lab.report.VerdictText;
import net.sluice.lab.report.chart.Axis;
import net.sluice.lab.report.chart.BarChart;
import net.sluice.lab.report.chart.HtmlPage;
import net.sluice.lab.report.chart.LineChart;
import net.sluice.lab.support.Figures;
import net.sluice.lab.support.Progress;

/** {@code --scenario values}: packet values and CoDel-ACT, each alone and together. */
record ValuesExperiment(CodelActOptions options) implements Experiment {
  /** The two together keep to this. */
  private static final double MOST_MEAN_MILLIS = 1.5 * ManagedSwitch.TARGET_MICROS / 1e3;

  private static final List<String> NOTES = Notes.of("codel-act-values");

  private static final double LEAST_SHARE = 0.93;
  private static final double LEAST_LINE = 0.98;
  private static final double LEAST_WINDOW = 0.9;

  /** The charts' shortest delay, ms: their axis is logarithmic. */
  private static final double SHORT_MILLIS = 0.1;

  private static final ValuesTraffic SAMPLE = ValuesTraffic.UDP;

  /** Measured virtual seconds of the sample. */
  private static final double SAMPLE_SECONDS = 1;

  @Override
  public double samplePackets() {
    return 2 * ValuesRun.packets(SAMPLE, SAMPLE_SECONDS);
  }

  @Override
  public ValuesResult sample(Progress progress) {
    ValuesRun.run(SAMPLE, ValuesColumn.BOTH, SAMPLE_SECONDS, options.seed());
    progress.at(0.5, "as fast as Java gets");
    return ValuesRun.run(SAMPLE, ValuesColumn.BOTH, SAMPLE_SECONDS, options.seed());
  }

  @Override
  public Supplier<Outcome> plan(Cases cases) {
    Map<ValuesTraffic, Map<ValuesColumn, Supplier<ValuesResult>>> runs =
        new EnumMap<>(ValuesTraffic.class);
    for (ValuesTraffic traffic : ValuesTraffic.values()) {
      Map<ValuesColumn, Supplier<ValuesResult>> columns = new EnumMap<>(ValuesColumn.class);
      for (ValuesColumn column : ValuesColumn.values()) {
        columns.put(
            column,
            cases.add(
                traffic.key() + ", " + column.title(),
                ValuesRun.packets(traffic, options.seconds()),
                progress -> ValuesRun.run(traffic, column, options.seconds(), options.seed())));
      }
      runs.put(traffic, columns);
    }
    return () -> {
      Map<ValuesTraffic, Map<ValuesColumn, ValuesResult>> results =
          new EnumMap<>(ValuesTraffic.class);
      runs.forEach(
          (traffic, columns) -> {
            Map<ValuesColumn, ValuesResult> found = new EnumMap<>(ValuesColumn.class);
            columns.forEach((column, run) -> found.put(column, run.get()));
            results.put(traffic, found);
          });
      return outcome(results);
    };
  }

  private Outcome outcome(Map<ValuesTraffic, Map<ValuesColumn, ValuesResult>> results) {
    List<Row> rows = new ArrayList<>();
    Map<String, List<HtmlPage.Figure>> charts = new LinkedHashMap<>();
    results.forEach(
        (traffic, columns) -> {
          columns.forEach((column, result) -> rows.addAll(rows(traffic, column, result)));
          charts.put(
              traffic == ValuesTraffic.UDP ? "Datagrams" : "TCP flows",
              List.of(
                  new HtmlPage.Figure(
                      "Queue delay over time",
                      "From the first packet on.",
                      delays(traffic, columns)),
                  new HtmlPage.Figure(
                      "Rate of a subscriber",
                      "Beside it the share by policy; whiskers span the subscribers.",
                      shares(traffic, columns))));
        });
    RunReport report = new RunReport(CodelActExperiment.NAME, options.seed(), rows);
    List<PaperFigure> figures = figures(rows);
    return new Outcome(
        report,
        VerdictText.of(figures, rows),
        NOTES,
        RunPage.page("CoDel and packet values", report, scope(), figures, charts, NOTES));
  }

  private static List<PaperFigure> figures(List<Row> rows) {
    return List.of(
        new PaperFigure(
            "Mean queue delay",
            "Allowed, where both work together, are 1.5 targets.",
            PaperFigure.Scale.MILLISECONDS,
            bars(rows, "mean", EnumSet.of(ValuesColumn.VALUES, ValuesColumn.BOTH))),
        new PaperFigure(
            "Part of the line in use",
            "Allowed, where both work together, are 98 % and more.",
            PaperFigure.Scale.PERCENT,
            bars(rows, "line", EnumSet.allOf(ValuesColumn.class))));
  }

  private static List<PaperFigure.Bar> bars(
      List<Row> rows, String figure, Set<ValuesColumn> columns) {
    List<PaperFigure.Bar> bars = new ArrayList<>();
    for (ValuesTraffic traffic : ValuesTraffic.values()) {
      for (ValuesColumn column : columns) {
        String name = name(column, figure, traffic);
        Row row = rows.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
        bars.add(new PaperFigure.Bar(column.title() + ", " + traffic.key(), row));
      }
    }
    return bars;
  }

  private static List<Row> rows(ValuesTraffic traffic, ValuesColumn column, ValuesResult result) {
    double gold = traffic.shareBps(BuiltInFunction.GOLD);
    double silver = traffic.shareBps(BuiltInFunction.SILVER);
    double line = result.line().utilisation();
    boolean bound = column == ValuesColumn.BOTH;
    String mean = name(column, "mean", traffic);
    return List.of(
        bound
            ? Row.atMost(mean, "ms", null, result.meanMillis(), MOST_MEAN_MILLIS)
            : Row.plain(mean, "ms", null, result.meanMillis()),
        Row.plain(name(column, "p99", traffic), "ms", null, result.p99Millis()),
        Row.plain(name(column, "peak", traffic), "ms", null, result.peakMillis()),
        atLeast(
            bound,
            name(column, "gold", traffic),
            "bit/s",
            gold,
            mean(result.goldBps()),
            LEAST_SHARE * gold),
        atLeast(
            bound,
            name(column, "silver", traffic),
            "bit/s",
            silver,
            mean(result.silverBps()),
            LEAST_SHARE * silver),
        atLeast(bound, name(column, "line", traffic), "1", null, line, LEAST_LINE),
        atLeast(
            bound,
            name(column, "leastLine", traffic),
            "1",
            null,
            result.leastLine(),
            LEAST_WINDOW));
  }

  private static Row atLeast(
      boolean bound, String name, String unit, Double baseline, double measured, double least) {
    return bound
        ? Row.atLeast(name, unit, baseline, measured, least)
        : Row.plain(name, unit, baseline, measured);
  }

  private static String name(ValuesColumn column, String figure, ValuesTraffic traffic) {
    return column.key() + "." + figure + "." + traffic.key();
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  private String scope() {
    return String.format(
        Locale.ROOT,
        "%d Gold and %d Silver subscribers behind a line of 50 Mbit/s, %s virtual seconds after a"
            + " warm-up of five, seed %d.%s",
        ValuesTraffic.EACH,
        ValuesTraffic.EACH,
        Figures.number(options.seconds()),
        options.seed(),
        options.quick()
            ? " Quick run: nothing is left out but seconds, so that what happens rarely shows less."
            : "");
  }

  private static String delays(ValuesTraffic traffic, Map<ValuesColumn, ValuesResult> columns) {
    double most = 1;
    double seconds = 1;
    List<LineChart.Series> series = new ArrayList<>();
    for (Map.Entry<ValuesColumn, ValuesResult> column : columns.entrySet()) {
      double[] sampled = column.getValue().sampledMillis();
      double[] x = new double[sampled.length];
      double[] y = new double[sampled.length];
      for (int i = 0; i < x.length; i++) {
        x[i] = (i + 1) * CellResult.SAMPLE_MILLIS / 1e3;
        y[i] = Math.max(SHORT_MILLIS, sampled[i]);
        most = Math.max(most, y[i]);
        seconds = x[i];
      }
      series.add(new LineChart.Series(column.getKey().title(), x, y));
    }
    return LineChart.draw(
        "queue delay over time, " + traffic.key(),
        Axis.fromZero("time, s", seconds, Figures::number),
        Axis.decades("delay of what is in the queue, ms", SHORT_MILLIS, most, Figures::number),
        false,
        series);
  }

  private static String shares(ValuesTraffic traffic, Map<ValuesColumn, ValuesResult> columns) {
    List<BarChart.Pair> pairs = new ArrayList<>();
    columns.forEach(
        (column, result) -> {
          String of = ", " + column.title();
          pairs.add(pair("Gold" + of, traffic.shareBps(BuiltInFunction.GOLD), result.goldBps()));
          pairs.add(
              pair("Silver" + of, traffic.shareBps(BuiltInFunction.SILVER), result.silverBps()));
        });
    return BarChart.draw(
        "rate of a subscriber, " + traffic.key(),
        "rate of a subscriber, bit/s; whiskers span the subscribers",
        "by policy",
        "measured",
        Figures::shortRate,
        pairs);
  }

  private static BarChart.Pair pair(String name, double expected, double[] bps) {
    return new BarChart.Pair(
        name,
        expected,
        mean(bps),
        Arrays.stream(bps).min().orElseThrow(),
        Arrays.stream(bps).max().orElseThrow());
  }
}
