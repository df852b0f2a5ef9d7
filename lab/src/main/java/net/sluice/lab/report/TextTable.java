package net.sluice.lab.report;

import java.util.ArrayList;
import java.util.List;

/** A table of plain text: first column to the left, the others to the right, two blanks between. */
public final class TextTable {
  private final List<List<String>> lines = new ArrayList<>();

  /** A table with these column heads. */
  public TextTable(String... heads) {
    lines.add(List.of(heads));
  }

  /** Adds a line; as many cells as there are heads. */
  public TextTable line(String... cells) {
    if (cells.length != lines.get(0).size()) {
      throw new IllegalArgumentException(
          "a line of " + cells.length + " cells in a table of " + lines.get(0).size());
    }
    lines.add(List.of(cells));
    return this;
  }

  /** The table, each line ended by a line feed, no blanks at the ends of lines. */
  public String text() {
    int columns = lines.get(0).size();
    int[] widths = new int[columns];
    for (List<String> line : lines) {
      for (int c = 0; c < columns; c++) {
        widths[c] = Math.max(widths[c], line.get(c).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> line : lines) {
      StringBuilder row = new StringBuilder();
      for (int c = 0; c < columns; c++) {
        String blanks = " ".repeat(widths[c] - line.get(c).length());
        row.append(c == 0 ? "" : "  ");
        row.append(c == 0 ? line.get(c) + blanks : blanks + line.get(c));
      }
      text.append(row.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
