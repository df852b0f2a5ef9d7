package net.sluice.lab.experiment.codelact;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import net.sluice.lab.report.PaperFigure;
import net.sluice.lab.report.RunPage;
import net.sluice.lab.report.chart.Axis;
import net.sluice.lab.report.chart.BarChart;
import net.sluice.lab.report.chart.HtmlPage;
import net.sluice.lab.report.chart.LineChart;
import net.sluice.lab.support.Figures;
import org.HdrHistogram.Histogram;

/** The experiment's page: the report, and charts as the paper has them. */
final class CodelActPage {
  private static final Set<Column> MANAGED = EnumSet.complementOf(EnumSet.of(Column.NONE));
  private static final double NANOS_PER_MILLI = 1e6;
  private static final int CDF_POINTS = 200;
  private static final int PERCENT = 100;

  /** Beyond this percentile a distribution's chart ends. */
  private static final double CDF_END = 99.9;

  private final List<Map<Column, CellSummary>> cells;
  private final Map<String, List<HtmlPage.Figure>> charts = new LinkedHashMap<>();

  private CodelActPage(CodelActResults results) {
    cells = results.cells();
    charts.put(
        "Beside the predecessor",
        List.of(
            bars("Mean queue delay, ms", "Figures 12, 13 and 14.", CellResult::meanMillis),
            bars("99th percentile of the queue delay, ms", "", CellResult::p99Millis),
            bars("Packets dropped in a run", "Figure 17.", CellResult::drops)));
    charts.put(
        "Queue delay distributions (figures 12, 13 and 14)",
        cells.stream().map(CodelActPage::distribution).toList());
    charts.put(
        "Queue delay over time (figure 16)",
        cells.stream().filter(CodelActPage::overTime).map(CodelActPage::overTimeChart).toList());
    charts.put(
        "The control law (figures 6 and 11)",
        List.of(
            law("error of interval / sqrt(count), %", results, ControlLaw::error, PERCENT),
            law("how late drops are, ms", results, ControlLaw::lateMillis, 1)));
  }

  static HtmlPage of(
      CodelActResults results, String scope, List<PaperFigure> figures, List<String> notes) {
    return RunPage.page(
        "CoDel-ACT: paper and measured",
        results.report(),
        scope,
        figures,
        new CodelActPage(results).charts,
        notes);
  }

  private static boolean overTime(Map<Column, CellSummary> columns) {
    Cell cell = columns.get(Column.ACT).cell();
    return cell.equals(Cell.TEN_FLOWS)
        || cell.equals(Cell.FIFTY_FLOWS)
        || cell.key().equals("case");
  }

  /** A bar of CoDel-ACT beside its predecessor's for each cell; whiskers span the runs. */
  private HtmlPage.Figure bars(String title, String source, ToDoubleFunction<CellResult> figure) {
    List<BarChart.Pair> pairs = new ArrayList<>();
    for (Map<Column, CellSummary> columns : cells) {
      CellSummary act = columns.get(Column.ACT);
      pairs.add(
          new BarChart.Pair(
              act.cell().key(),
              columns.get(Column.P4_CODEL).mean(figure),
              act.mean(figure),
              act.least(figure),
              act.most(figure)));
    }
    return new HtmlPage.Figure(
        title,
        (source + " Whiskers span the runs.").strip(),
        BarChart.draw(
            title, title, Column.P4_CODEL.title(), Column.ACT.title(), Figures::number, pairs));
  }

  private static HtmlPage.Figure distribution(Map<Column, CellSummary> columns) {
    double most = 0;
    for (Column column : MANAGED) {
      most = Math.max(most, millis(columns.get(column).delaysNanos(), CDF_END));
    }
    List<LineChart.Series> series = new ArrayList<>();
    for (Column column : MANAGED) {
      Histogram delays = columns.get(column).delaysNanos();
      double[] x = new double[CDF_POINTS + 1];
      double[] y = new double[CDF_POINTS + 1];
      for (int i = 0; i <= CDF_POINTS; i++) {
        x[i] = most * i / CDF_POINTS;
        y[i] = delays.getPercentileAtOrBelowValue(Math.round(x[i] * NANOS_PER_MILLI));
      }
      series.add(new LineChart.Series(column.title(), x, y));
    }
    String key = columns.get(Column.ACT).cell().key();
    return new HtmlPage.Figure(
        key,
        "",
        LineChart.draw(
            "distribution of the queue delay, " + key,
            Axis.fromZero("queue delay, ms", most, Figures::number),
            Axis.linear("packets with at most this delay, %", 0, PERCENT, Figures::number),
            false,
            series));
  }

  private static HtmlPage.Figure overTimeChart(Map<Column, CellSummary> columns) {
    double most = 0;
    double seconds = 0;
    List<LineChart.Series> series = new ArrayList<>();
    for (Column column : List.of(Column.ACT, Column.P4_CODEL)) {
      double[] y = columns.get(column).runs().get(0).sampledMillis();
      double[] x = new double[y.length];
      for (int i = 0; i < y.length; i++) {
        x[i] = (i + 1) * CellResult.SAMPLE_MILLIS / 1e3;
        most = Math.max(most, y[i]);
        seconds = x[i];
      }
      series.add(new LineChart.Series(column.title(), x, y));
    }
    String key = columns.get(Column.ACT).cell().key();
    return new HtmlPage.Figure(
        key,
        "The first run.",
        LineChart.draw(
            "queue delay over time, " + key,
            Axis.fromZero("time, s", seconds, Figures::number),
            Axis.fromZero("delay of what is in the queue, ms", most, Figures::number),
            false,
            series));
  }

  /** A figure of a control law at a count. */
  @FunctionalInterface
  private interface OfCount {
    double at(ControlLaw law, int count);
  }

  private static HtmlPage.Figure law(
      String title, CodelActResults results, OfCount figure, double scale) {
    double[] counts = IntStream.rangeClosed(1, ControlLaw.COUNTS).asDoubleStream().toArray();
    List<LineChart.Series> series =
        List.of(
            line(Column.ACT, counts, count -> scale * figure.at(results.act(), (int) count)),
            line(
                Column.P4_CODEL,
                counts,
                count -> scale * figure.at(results.p4Codel(), (int) count)));
    double least = extreme(series, Math::min);
    double most = extreme(series, Math::max);
    return new HtmlPage.Figure(
        title,
        "Of each drop of a cycle, by its count.",
        LineChart.draw(
            title,
            Axis.decades("count", 1, ControlLaw.COUNTS, Figures::number),
            Axis.linear(title, Math.min(0, least), most, Figures::number),
            false,
            series));
  }

  private static LineChart.Series line(Column column, double[] counts, DoubleUnaryOperator figure) {
    return new LineChart.Series(
        column.title(),
        counts,
        IntStream.range(0, counts.length)
            .mapToDouble(i -> figure.applyAsDouble(counts[i]))
            .toArray());
  }

  private static double extreme(List<LineChart.Series> series, DoubleBinaryOperator of) {
    return series.stream()
        .flatMapToDouble(line -> Arrays.stream(line.y()))
        .filter(Double::isFinite)
        .reduce(of)
        .orElse(1);
  }

  private static double millis(Histogram nanos, double percentile) {
    return Math.max(0.1, nanos.getValueAtPercentile(percentile) / NANOS_PER_MILLI);
  }
}
