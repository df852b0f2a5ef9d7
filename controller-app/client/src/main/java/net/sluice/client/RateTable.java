package net.sluice.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import net.sluice.cli.WrittenRates;

/** Rates as the API tells them, in columns, some for each direction. */
final class RateTable {
  private static final List<String> COLUMNS = List.of("offered", "got", "dropped", "delay");
  private static final List<String> DROPPED =
      List.of("policedBps", "overflowedBps", "suspendedBps", "droppedBps");
  private static final MathContext THREE_DIGITS = new MathContext(3);

  private final List<List<String>> rows = new ArrayList<>();

  /**
   * A table without rows.
   *
   * @param first the name of the first column
   * @param directions what is before the names of the others
   */
  RateTable(String first, String... directions) {
    List<String> names = new ArrayList<>(List.of(first));
    for (String direction : directions) {
      COLUMNS.forEach(name -> names.add(direction + name));
    }
    rows.add(names);
  }

  /** A row; rates of which nothing is known are dashes. */
  void row(String name, JsonNode... rates) {
    List<String> cells = new ArrayList<>(List.of(name));
    for (JsonNode of : rates) {
      JsonNode delay = of.path("delayMillis").path("p95");
      boolean isKnown = of.isObject();
      cells.add(isKnown ? text(of.path("offeredBps").asLong()) : "-");
      cells.add(isKnown ? text(of.path("gotBps").asLong()) : "-");
      cells.add(
          isKnown ? text(DROPPED.stream().mapToLong(each -> of.path(each).asLong()).sum()) : "-");
      cells.add(delay.isNumber() ? delay.asText() : "-");
    }
    rows.add(cells);
  }

  private static String text(long bps) {
    return WrittenRates.text(new BigDecimal(bps).round(THREE_DIGITS).longValue());
  }

  /** Prints it; the first column is aligned to the left, the others to the right. */
  void print(PrintWriter out) {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder(row.get(0));
      line.append(" ".repeat(widths[0] - row.get(0).length()));
      for (int i = 1; i < widths.length; i++) {
        line.append(" ".repeat(2 + widths[i] - row.get(i).length())).append(row.get(i));
      }
      out.println(line);
    }
  }
}
