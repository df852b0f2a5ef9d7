package net.sluice.lab.experiment.dragonking;

import java.util.Map;
import net.sluice.lab.report.Row;

/** The numbers in paper 004's text and tables, by row. */
final class Published {
  /** The abstract, and section V-C. */
  static final double ACCURACY = 0.99;

  /** By how the rows' names begin. */
  private static final Map<String, Double> VALUES =
      Map.ofEntries(
          Map.entry("accuracy.aggregate.", ACCURACY),
          Map.entry("accuracy.worst.", ACCURACY),
          // Section V-C: RegMeter reaches 57 Gbit/s of a line of 100.
          Map.entry("accuracy.regmeter.100G", 0.57),
          // Section V-B.
          Map.entry("bursty.overMeter.", 1.157),
          Map.entry("bursty.overRegmeter.", 1.445),
          Map.entry("bursty.overSwrl.", 1.141),
          // Section V-G: the most that redistribution and the VST-aware window take away.
          Map.entry("balance.reduction.", 0.988),
          Map.entry("deviation.reduction.", 0.876),
          // Section V-A.
          Map.entry("capacity.limits", 2e6),
          // Section IV; V-F has 0.5 to 2 M/s.
          Map.entry("updates.perSecond", 2e6));

  private Published() {}

  /** The row with the paper's value beside it, if there is one of its name. */
  static Row beside(Row row) {
    return VALUES.entrySet().stream()
        .filter(entry -> row.name().startsWith(entry.getKey()))
        .findFirst()
        .map(entry -> row.besidePaper(entry.getValue()))
        .orElse(row);
  }
}
