package net.sluice.lab.experiment.dragonking;

import java.util.Map;
import net.sluice.lab.report.Row;

/** The numbers in paper 004's text and tables, by row. */
final class Published {
  /** The abstract, and section V-C. */
  static final double ACCURACY = 0.99;

  private static final Map<String, Double> VALUES =
      Map.ofEntries(
          // Section V-C: RegMeter reaches 57 Gbit/s of a line of 100.
          Map.entry("accuracy.regmeter.100G", 0.57),
          // Section V-B.
          Map.entry("bursty.best.overMeter", 1.157),
          Map.entry("bursty.best.overRegmeter", 1.445),
          Map.entry("bursty.best.overSwrl", 1.141),
          // Section V-G.
          Map.entry("balance.most", 0.988),
          Map.entry("deviation.most", 0.876),
          // Section V-A and table I.
          Map.entry("capacity.limits", 2e6),
          Map.entry("capacity.overMeters", 1.9),
          Map.entry("capacity.entryBytes", 19.0),
          Map.entry("capacity.meterEntryBytes", 45.0),
          // Section IV; V-F has 0.5 to 2 M/s.
          Map.entry("updates.perSecond", 2e6));

  private Published() {}

  /** The row with the paper's value beside it, if there is one of its name. */
  static Row beside(Row row) {
    Double value = VALUES.get(row.name());
    if (value == null
        && (row.name().startsWith("accuracy.aggregate.")
            || row.name().startsWith("accuracy.worst."))) {
      value = ACCURACY;
    }
    return value == null ? row : row.besidePaper(value);
  }
}
