package net.sluice.lab.report.chart;

import java.util.List;
import java.util.stream.Collectors;

/** Tables as text for spreadsheets (RFC 4180). */
final class Csv {
  private Csv() {}

  /** The table, a line each. */
  static String text(List<String> heads, List<List<String>> lines) {
    StringBuilder text = new StringBuilder(line(heads));
    lines.forEach(each -> text.append(line(each)));
    return text.toString();
  }

  private static String line(List<String> cells) {
    return cells.stream().map(Csv::cell).collect(Collectors.joining(",", "", "\r\n"));
  }

  private static String cell(String text) {
    return text.matches("[^\",\r\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
  }
}
