package net.sluice.lab.report;

import java.util.Map;
import java.util.Optional;

/**
 * Numbers of a paper's text and tables.
 *
 * @param byRow by how the names of their rows begin, of which no two begin alike
 */
public record PaperValues(Map<String, Double> byRow) {
  public PaperValues {
    byRow = Map.copyOf(byRow);
  }

  /** The paper's value of a row, if it has one. */
  public Optional<Double> of(String row) {
    return byRow.entrySet().stream()
        .filter(each -> row.startsWith(each.getKey()))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  /** The row with the paper's value beside it, if it has one. */
  public Row beside(Row row) {
    return of(row.name()).map(row::besidePaper).orElse(row);
  }
}
