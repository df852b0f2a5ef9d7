package net.sluice.lab.experiment.codelact;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import net.sluice.lab.report.PaperFigure;
import net.sluice.lab.report.PaperFigure.Bar;
import net.sluice.lab.report.PaperFigure.Scale;
import net.sluice.lab.report.Row;

/** The rows of the experiment as the figures and claims of paper 002. */
final class CodelActFigures {
  private final Map<String, Row> rows;
  private final List<Cell> cells;
  private final List<PaperFigure> figures = new ArrayList<>();

  private CodelActFigures(CodelActResults results) {
    rows =
        results.report().rows().stream().collect(Collectors.toMap(Row::name, Function.identity()));
    cells = results.cells().stream().map(columns -> columns.get(Column.ACT).cell()).toList();
  }

  /** Those that there are rows for. */
  static List<PaperFigure> of(CodelActResults results) {
    CodelActFigures of = new CodelActFigures(results);
    of.collect();
    return of.figures;
  }

  private void collect() {
    figure(
        "Mean queue delay of CoDel-ACT",
        "Figures 12, 13 and 14: below the target of 5 ms in every cell. 100M.10 is a line of 100"
            + " Mbit/s with 10 flows, rtt100 a round-trip time of 100 ms.",
        Scale.MILLISECONDS,
        perCell("act.mean."));
    List<Bar> fifty = new ArrayList<>();
    bar("mean", "ratio.mean." + Cell.FIFTY_FLOWS.key()).ifPresent(fifty::add);
    bar("99th percentile", "ratio.p99." + Cell.FIFTY_FLOWS.key()).ifPresent(fifty::add);
    figure(
        "Queue delay over P4-CoDel's, 50 flows",
        "The abstract: CoDel-ACT takes 52 % of the mean and 50 % of the tail away. Allowed is half.",
        Scale.RATIO,
        fifty);
    for (long rateBps : cells.stream().map(Cell::rateBps).distinct().toList()) {
      figure(
          "Goodput of CoDel-ACT, line of " + rateBps / 1_000_000 + " Mbit/s",
          "Table I. Allowed is P4-CoDel's measured goodput or more.",
          Scale.MEGABIT_PER_SECOND,
          cells.stream()
              .filter(cell -> cell.rateBps() == rateBps)
              .flatMap(cell -> bar(cell.key(), "goodput.act." + cell.key()).stream())
              .toList());
    }
    figure(
        "Packets that CoDel-ACT drops in a run",
        "Figure 17: no fewer than P4-CoDel, in the cell " + Cell.TEN_FLOWS.key() + ".",
        Scale.PACKETS,
        bar(Cell.TEN_FLOWS.key(), "drops.act." + Cell.TEN_FLOWS.key()).stream().toList());
    figure(
        "Recirculated packets",
        "Section VI: 300 to 620 a second.",
        Scale.PACKETS_PER_SECOND,
        perCell("recirculation."));
    List<Bar> errors = new ArrayList<>();
    bar("mean", "sqrt.meanError").ifPresent(errors::add);
    bar("worst", "sqrt.worstError").ifPresent(errors::add);
    bar("P4-CoDel, worst", "sqrt.p4codel.worstError").ifPresent(errors::add);
    figure(
        "Error of interval / sqrt(count)",
        "Section V and figure 6, counts 1 to 1,000. The paper has 4 and 15 %, P4-CoDel's on a Tofino"
            + " 58 %.",
        Scale.PERCENT,
        errors);
    List<Bar> late = new ArrayList<>();
    bar("CoDel-ACT", "sqrt.latest").ifPresent(late::add);
    bar("P4-CoDel", "sqrt.p4codel.latest").ifPresent(late::add);
    figure("How late a drop is at most", "Figure 11.", Scale.MILLISECONDS, late);
  }

  private void figure(String title, String source, Scale scale, List<Bar> bars) {
    if (!bars.isEmpty()) {
      figures.add(new PaperFigure(title, source, scale, bars));
    }
  }

  private List<Bar> perCell(String prefix) {
    return cells.stream().flatMap(cell -> bar(cell.key(), prefix + cell.key()).stream()).toList();
  }

  private Optional<Bar> bar(String label, String row) {
    return Optional.ofNullable(rows.get(row)).map(found -> new Bar(label, found));
  }
}
