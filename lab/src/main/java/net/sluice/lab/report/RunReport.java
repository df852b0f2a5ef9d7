package net.sluice.lab.report;

import java.util.List;

/**
 * The report of an experiment or benchmark; all share this schema.
 *
 * @param name name of the run, e.g. {@code csaqm}
 * @param seed seed of everything random in it
 * @param ok whether every row is ok
 * @param rows the measured quantities, in order
 */
public record RunReport(String name, long seed, boolean ok, List<Row> rows) {
  public RunReport {
    rows = List.copyOf(rows);
    if (ok != (!rows.isEmpty() && rows.stream().allMatch(Row::ok))) {
      throw new IllegalArgumentException(
          name + ": ok must be true exactly when there are rows and every one of them is ok");
    }
  }

  /** A report that is ok when every row is. */
  public static RunReport of(String name, long seed, List<Row> rows) {
    return new RunReport(name, seed, !rows.isEmpty() && rows.stream().allMatch(Row::ok), rows);
  }
}
