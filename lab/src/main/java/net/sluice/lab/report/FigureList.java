package net.sluice.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import net.sluice.lab.report.PaperFigure.Bar;
import net.sluice.lab.report.PaperFigure.Scale;

/** The figures of a paper that there are rows for, each of the rows whose names begin alike. */
public final class FigureList {
  private final List<Row> rows;
  private final String whole;
  private final List<PaperFigure> figures = new ArrayList<>();

  /**
   * No figures yet.
   *
   * @param whole label of a row that has a figure's prefix as its whole name
   */
  public FigureList(List<Row> rows, String whole) {
    this.rows = List.copyOf(rows);
    this.whole = whole;
  }

  /** Adds the rows with a prefix, labelled by the rest of their names. */
  public FigureList add(String title, String source, Scale scale, String prefix) {
    return add(
        title,
        source,
        scale,
        rows.stream().filter(row -> row.name().startsWith(prefix)),
        row -> row.name().equals(prefix) ? whole : row.name().substring(prefix.length()));
  }

  /** Adds some of the rows. */
  public FigureList add(
      String title, String source, Scale scale, Stream<Row> some, Function<Row, String> label) {
    List<Bar> bars = some.map(row -> new Bar(label.apply(row), row)).toList();
    if (!bars.isEmpty()) {
      figures.add(new PaperFigure(title, source, scale, bars));
    }
    return this;
  }

  /** The figures in the order in which they were added. */
  public List<PaperFigure> figures() {
    return List.copyOf(figures);
  }
}
