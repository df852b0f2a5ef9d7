package net.sluice.lab.experiment.calm;

import java.util.List;
import java.util.stream.Stream;
import net.sluice.intents.model.Enforcement;
import net.sluice.lab.report.FigureList;
import net.sluice.lab.report.PaperFigure;
import net.sluice.lab.report.PaperFigure.Scale;
import net.sluice.lab.report.Row;

/** The rows of the experiment as charts, a quantity of a limiter each. */
final class CalmFigures {
  private static final List<String> LIMITERS =
      Stream.concat(CalmPlan.ENFORCEMENTS.stream().map(Enforcement::text), Stream.of("case"))
          .toList();

  private CalmFigures() {}

  /** Those that there are rows for. */
  static List<PaperFigure> of(List<Row> rows) {
    FigureList figures = new FigureList(rows, "case");
    for (String limiter : LIMITERS) {
      add(
          figures,
          rows,
          limiter,
          "light.p99Millis",
          "waits of call and game, 99th percentile",
          "Allowed are 10 ms from 20 Mbit/s on.",
          Scale.MILLISECONDS);
      add(
          figures,
          rows,
          limiter,
          "bulk.meanMillis",
          "mean wait of heavy flows",
          "Allowed is 1.25 times what CoDel's one queue makes of the same flows.",
          Scale.MILLISECONDS);
      add(
          figures,
          rows,
          limiter,
          "utilization",
          "part of the limit that is used",
          "At least 95 %.",
          Scale.PERCENT);
      add(
          figures,
          rows,
          limiter,
          "jain",
          "Jain's index of equal flows",
          "At least 0.95.",
          Scale.RATIO);
    }
    for (String quantity : List.of("l4s.p99Millis", "l4s.rateRatio", "neighbour.lost")) {
      figures.add(
          quantity,
          "Scalable senders wait at most 2 ms, and get at most twice or half of what Cubic gets; a flood's"
              + " neighbour loses nothing.",
          Scale.RATIO,
          rows.stream().filter(row -> row.name().endsWith("." + quantity)),
          row -> row.name().replace("." + quantity, ""));
    }
    return figures.figures();
  }

  private static void add(
      FigureList figures,
      List<Row> rows,
      String limiter,
      String quantity,
      String title,
      String bound,
      Scale scale) {
    String prefix = limiter + ".";
    String suffix = "." + quantity;
    figures.add(
        limiter + ": " + title,
        bound,
        scale,
        rows.stream().filter(row -> row.name().startsWith(prefix) && row.name().endsWith(suffix)),
        row ->
            row.name().equals(limiter + suffix)
                ? limiter
                : row.name().substring(prefix.length(), row.name().length() - suffix.length()));
  }
}
