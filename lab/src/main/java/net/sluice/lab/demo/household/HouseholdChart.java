package net.sluice.lab.demo.household;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import net.sluice.lab.demo.household.Household.Flow;
import net.sluice.lab.report.chart.Axis;
import net.sluice.lab.report.chart.LineChart;
import net.sluice.lab.support.Figures;

/** The delays of a household's flows over time as a chart. */
public final class HouseholdChart {
  private static final double NANOS_PER_MICRO = 1e3;

  private HouseholdChart() {}

  /** Of a run, and of one without what keeps delay low. */
  public static String draw(Household now, Optional<Household> bloat) {
    List<LineChart.Series> series = new ArrayList<>(series(now, ""));
    bloat.ifPresent(run -> series.addAll(series(run, ", --bloat")));
    double longest =
        series.stream()
            .mapToDouble(one -> DoubleStream.of(one.y()).max().orElse(0))
            .max()
            .orElse(0);
    double shortest =
        series.stream()
            .flatMapToDouble(one -> DoubleStream.of(one.y()))
            .filter(micros -> micros > 0)
            .min()
            .orElse(Double.NaN);
    return LineChart.draw(
        "delay of the household's flows over time",
        Axis.linear("virtual time in s", 0, Household.ALL_SECONDS, Figures::shortNumber),
        Axis.fitting("time in the switch", shortest, longest, Figures::shortMicros),
        true,
        series);
  }

  private static List<LineChart.Series> series(Household run, String suffix) {
    List<LineChart.Series> series = new ArrayList<>();
    for (Flow flow : List.of(Flow.DOWNLOAD, Flow.CALL, Flow.GAME)) {
      double[] means = run.meanNanos().get(flow);
      int[] arrived =
          IntStream.range(0, means.length).filter(i -> Double.isFinite(means[i])).toArray();
      series.add(
          new LineChart.Series(
              flow.text() + suffix,
              IntStream.of(arrived)
                  .mapToDouble(i -> i * Household.ALL_SECONDS / means.length)
                  .toArray(),
              IntStream.of(arrived).mapToDouble(i -> means[i] / NANOS_PER_MICRO).toArray()));
    }
    return series;
  }
}
