package net.sluice.lab.experiment.fpga;

import java.util.ArrayList;
import java.util.List;
import net.sluice.lab.report.PaperFigure;
import net.sluice.lab.report.PaperFigure.Bar;
import net.sluice.lab.report.PaperFigure.Scale;
import net.sluice.lab.report.Row;

/** The rows of the experiment as the figures of paper 001. */
final class FpgaFigures {
  private final List<Row> rows;
  private final List<PaperFigure> figures = new ArrayList<>();

  private FpgaFigures(List<Row> rows) {
    this.rows = rows;
  }

  /** Those that there are rows for. */
  static List<PaperFigure> of(List<Row> rows) {
    FpgaFigures of = new FpgaFigures(rows);
    of.collect();
    return of.figures;
  }

  private void collect() {
    add(
        "Time between packets at 100 Mbit/s",
        "Figure 6: one packet at a time, by the number of queues of the build; allowed is a tick and"
            + " a round of the search beside the packet's time.",
        Scale.MICROSECONDS,
        "gap.");
  }

  private void add(String title, String source, Scale scale, String prefix) {
    List<Bar> bars =
        rows.stream()
            .filter(row -> row.name().startsWith(prefix))
            .map(row -> new Bar(row.name().substring(prefix.length()), row))
            .toList();
    if (!bars.isEmpty()) {
      figures.add(new PaperFigure(title, source, scale, true, bars));
    }
  }
}
