package net.sluice.lab.experiment.codelact;

import java.util.Map;
import net.sluice.lab.report.PaperValues;

/** The numbers in paper 002's text and tables, by row; its figures cannot be read to a number. */
final class CodelActPaper {
  /** The abstract: "reduces" the mean by 52 % and the tail by 50 %. */
  static final double FIFTY_FLOWS_RATIO = 0.5;

  /** Section VI: most of what recirculates, packets a second. */
  static final double MOST_RECIRCULATED = 620;

  /** Section V: mean and worst error of CoDel-ACT's control law. */
  static final double LAW_MEAN_ERROR = 0.04;

  static final double LAW_WORST_ERROR = 0.15;

  /** Figure 11: the longest delay of a drop, ms. */
  static final double LAW_LATEST_MILLIS = 11;

  /** Part of a number of the paper's that the measured one may be off. */
  static final double TOLERANCE = 0.05;

  static final PaperValues VALUES =
      new PaperValues(
          Map.ofEntries(
              // Figure 1.
              Map.entry("p4codel.mean.100M.10", 8.3),
              Map.entry("ratio.mean.1000M.50", 0.48),
              Map.entry("ratio.p99.1000M.50", 0.5),
              Map.entry("recirculation.", MOST_RECIRCULATED),
              // Table I.
              Map.entry("goodput.p4codel.100M.10", 82e6),
              Map.entry("goodput.act.100M.10", 82.4e6),
              Map.entry("goodput.p4codel.1000M.10", 832.6e6),
              Map.entry("goodput.act.1000M.10", 842.3e6),
              Map.entry("sqrt.meanError", LAW_MEAN_ERROR),
              Map.entry("sqrt.worstError", LAW_WORST_ERROR),
              Map.entry("sqrt.latest", LAW_LATEST_MILLIS),
              Map.entry("sqrt.p4codel.worstError", 0.58),
              Map.entry("sqrt.p4codel.latest", 30.0)));

  private CodelActPaper() {}
}
