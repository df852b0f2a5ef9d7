package net.sluice.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import net.sluice.lab.support.Figures;

/** Rows in words, for the terminal and for pages. */
public final class RowText {
  /** Heads of a table of rows. */
  public static final List<String> HEADS =
      List.of("row", "unit", "paper", "baseline", "measured", "bound", "");

  private static final String MISSED = "MISSED";

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
              verdict(row)));
    }
    return lines;
  }

  /** Whether a line of {@link #lines} is of a row that misses its bound. */
  static boolean missed(List<String> line) {
    return line.get(line.size() - 1).equals(MISSED);
  }

  private static String verdict(Row row) {
    return row.ok() ? row.fitted() ? "fitted" : "ok" : MISSED;
  }

  /** How many of the paper's values are reproduced; empty if there are none. */
  public static Optional<String> reproduced(List<Row> rows) {
    long ofPaper = rows.stream().filter(Row::comparesWithPaper).count();
    long fitted = rows.stream().filter(Row::fitted).count();
    if (ofPaper == 0) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "Of %d rows that are held against a value of the paper %d reproduce it independently of it, of %d that"
                + " inputs were not derived from. %d rows are fitted: inputs were derived from"
                + " their values, so that keeping the bound reproduces nothing.",
            ofPaper,
            rows.stream().filter(Row::reproduced).count(),
            ofPaper - fitted,
            fitted));
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

  private static String bound(Row row) {
    return switch (row.rule()) {
      case NONE -> "-";
      case WITHIN -> "+-" + Figures.number(row.bound());
      case AT_MOST -> "<= " + Figures.number(row.bound());
      case AT_LEAST -> ">= " + Figures.number(row.bound());
    };
  }
}
