package net.sluice.lab.report;

import java.util.ArrayList;
import java.util.List;
import net.sluice.lab.support.Figures;

/** Rows in words, for the terminal and for pages. */
public final class RowText {
  /** Heads of a table of rows. */
  public static final List<String> HEADS =
      List.of("row", "paper", "baseline", "measured", "bound", "verdict");

  private RowText() {}

  /** The rows as lines of a table with {@link #HEADS}. */
  public static List<List<String>> lines(List<Row> rows) {
    List<List<String>> lines = new ArrayList<>();
    for (Row row : rows) {
      lines.add(
          List.of(
              row.name(),
              number(row, row.paper()),
              number(row, row.baseline()),
              number(row, row.measured()),
              bound(row),
              row.verdict().word()));
    }
    return lines;
  }

  /** Whether a line of {@link #lines} is of a row that is missed. */
  static boolean missed(List<String> line) {
    return line.get(line.size() - 1).equals(Verdict.MISSED.word());
  }

  /** The rows as plain text. */
  public static String table(List<Row> rows) {
    TextTable table = new TextTable(HEADS.toArray(new String[0]));
    lines(rows).forEach(line -> table.line(line.toArray(new String[0])));
    return table.text();
  }

  /** A row's name in words: where it has dots, spaces. */
  public static String words(String name) {
    return name.replace('.', ' ');
  }

  private static String number(Row row, Double value) {
    if (value == null) {
      return "-";
    }
    return switch (row.unit()) {
      case "bit/s" -> Figures.rate(value);
      case "1" -> Figures.number(value);
      default -> Figures.number(value) + " " + row.unit();
    };
  }

  private static String bound(Row row) {
    return switch (row.rule()) {
      case NONE -> "-";
      case WITHIN -> "+-" + number(row, row.bound());
      case AT_MOST -> "<= " + number(row, row.bound());
      case AT_LEAST -> ">= " + number(row, row.bound());
    };
  }
}
