package net.sluice.lab.experiment.dragonking;

import java.util.List;
import net.sluice.lab.report.FigureList;
import net.sluice.lab.report.PaperFigure;
import net.sluice.lab.report.PaperFigure.Scale;
import net.sluice.lab.report.Row;

/** The rows of the experiment as the figures of paper 004. */
final class DragonkingFigures {
  private DragonkingFigures() {}

  /** Those that there are rows for. */
  static List<PaperFigure> of(List<Row> rows) {
    FigureList figures = new FigureList(rows, "most of all gaps");
    figures.add(
        "Accuracy of all limits together",
        "Figure 13: at least 99 % with 60 kbit/s a limit.",
        Scale.PERCENT,
        "accuracy.aggregate.");
    figures.add(
        "Accuracy of the worst limit",
        "Figure 13: at least 99 %. From a limit's first to its last packet.",
        Scale.PERCENT,
        "accuracy.worst.");
    figures.add(
        "RegMeter's accuracy",
        "Section V-C: its tokens leave 57 % of the line.",
        Scale.PERCENT,
        "accuracy.regmeter.");
    figures.add(
        "Largest burst of a limit",
        "Section II-B: gaps between packets, so no burst above one.",
        Scale.PACKETS,
        "burst.");
    figures.add(
        "Four limits of 10 Gbit/s",
        "Not in the paper: accuracy of all and of the worst.",
        Scale.PERCENT,
        "few.accuracy.");
    for (Baseline baseline : Baseline.values()) {
      String key = baseline.key();
      figures.add(
          "Goodput over that of " + key,
          "Figures 12 and 14: bursts before a limit of 90 Gbit/s, by the time between them. Allowed"
              + " are 5 % of the paper's number; above 1 is its direction.",
          Scale.RATIO,
          "bursty.over"
              + key.substring(0, 1).toUpperCase(java.util.Locale.ROOT)
              + key.substring(1)
              + ".");
    }
    figures.add(
        "How unevenly the pipes are used",
        "Figure 21(a), by the time between bursts. Allowed is what it is without redistribution.",
        Scale.RATIO,
        "balance.cv.");
    figures.add(
        "Mean time from a packet's virtual start to its departure, us",
        "Figure 22(a), by the time between bursts, by the front pipe alone. Allowed is what it is"
            + " without the VST-aware window.",
        Scale.RATIO,
        "deviation.mean.");
    figures.add(
        "The most that redistribution takes off the unevenness",
        "Section V-G: up to 98.8 %. Allowed are 5 % of it.",
        Scale.PERCENT,
        "balance.most");
    figures.add(
        "The most that the VST-aware window takes off that time",
        "Section V-G: up to 87.6 %. Allowed are 5 % of it.",
        Scale.PERCENT,
        "deviation.most");
    figures.add(
        "The same time where packets leave by any pipe, us",
        "Not in the paper. Allowed is what it is by the front pipe alone.",
        Scale.RATIO,
        "deviation.anyPipe.mean.");
    figures.add(
        "Mean time by the front pipe alone, by delta and h, us",
        "Figure 20: least at delta = -0.025 and h = 40.",
        Scale.RATIO,
        "sensitivity.");
    figures.add(
        "Entries written by the local agent",
        "Section V-F: 0.5 to 2 million a second.",
        Scale.RATIO,
        "updates.");
    return figures.figures();
  }
}
