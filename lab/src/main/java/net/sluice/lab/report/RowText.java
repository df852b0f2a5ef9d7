package net.sluice.lab.report;

import java.util.ArrayList;
import java.util.List;
import net.sluice.lab.support.Figures;

/** Rows in words, for the terminal and for pages. */
public final class RowText {
  /** Heads of a table of rows. */
  public static final List<String> HEADS =
      List.of("row", "unit", "paper", "baseline", "measured", "bound", "");

  private RowText() {}

  /** The rows as lines of a table with {@link #HEADS}. */
  public static List<List<String>> lines(List<Row> rows) {
    List<List<String>> lines = new ArrayList<>();
    for (Row row : rows) {
      lines.add(
          List.of(
              row.name(),
              row.unit(),
              number(row.paper()),
              number(row.baseline()),
              number(row.measured()),
              bound(row),
              row.ok() ? "ok" : "MISSED"));
    }
    return lines;
  }

  /** The rows as plain text. */
  public static String table(List<Row> rows) {
    TextTable table = new TextTable(HEADS.toArray(new String[0]));
    lines(rows).forEach(line -> table.line(line.toArray(new String[0])));
    return table.text();
  }

  private static String number(Double value) {
    return value == null ? "-" : Figures.number(value);
  }

  /** With a published value the bound is a distance from it. */
  private static String bound(Row row) {
    if (row.bound() == null) {
      return "-";
    }
    return (row.paper() == null ? "" : "+-") + Figures.number(row.bound());
  }
}
