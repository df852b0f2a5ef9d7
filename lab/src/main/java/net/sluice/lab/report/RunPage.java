package net.sluice.lab.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.sluice.lab.report.chart.BarChart;
import net.sluice.lab.report.chart.HtmlPage;
import net.sluice.lab.support.Figures;

/**
 * The page of a {@link RunReport}: a verdict, charts, notes, and at last the rows, folded, those
 * that miss first.
 */
public final class RunPage {
  private final HtmlPage page;
  private final RunReport report;

  private RunPage(HtmlPage page, RunReport report) {
    this.page = page;
    this.report = report;
  }

  /**
   * The page of a run that has no figures, with a chart of every unit that the paper has rows in.
   *
   * @param title its heading
   * @param notes paragraphs that say what the numbers mean
   */
  public static HtmlPage page(String title, RunReport report, List<String> notes) {
    RunPage begun =
        begin(title, report, VerdictText.of(List.of(), report.rows()), Optional.empty());
    charts(report).forEach(begun.page::chart);
    return begun.end(notes);
  }

  /**
   * The page of an experiment.
   *
   * @param scope what ran, and what was left out
   * @param figures the charts under the verdict
   * @param further charts beyond the paper's numbers, with their headings
   */
  public static HtmlPage page(
      String title,
      RunReport report,
      String scope,
      List<PaperFigure> figures,
      Map<String, List<HtmlPage.Figure>> further,
      List<String> notes) {
    RunPage begun =
        begin(title, report, VerdictText.of(figures, report.rows()), Optional.of(scope));
    begun.page.figures(figures.stream().map(RunPage::drawn).toList());
    further.forEach((heading, charts) -> begun.page.heading(heading).figures(charts));
    return begun.end(notes);
  }

  private static RunPage begin(
      String title, RunReport report, String verdict, Optional<String> scope) {
    HtmlPage page =
        new HtmlPage(title)
            .verdict(report.ok(), verdict)
            .table(VerdictText.HEADS, VerdictText.lines(report.rows()));
    scope.ifPresent(page::paragraph);
    return new RunPage(page, report);
  }

  private HtmlPage end(List<String> notes) {
    if (!notes.isEmpty()) {
      page.heading("Notes");
      notes.forEach(page::paragraph);
    }
    long missed = report.rows().stream().filter(row -> !row.ok()).count();
    return page.heading("Rows")
        .foldedTable(
            report.rows().size()
                + (report.rows().size() == 1 ? " row" : " rows")
                + (missed == 0 ? "" : ", the " + missed + " missed first"),
            RowText.HEADS,
            RowText.lines(report.rows().stream().sorted(Comparator.comparing(Row::ok)).toList())
                .stream()
                .map(RunPage::named)
                .toList(),
            RowText::missed);
  }

  private static List<String> named(List<String> line) {
    List<String> cells = new ArrayList<>(line);
    cells.set(0, RowText.words(cells.get(0)));
    return cells;
  }

  private static HtmlPage.Figure drawn(PaperFigure figure) {
    return new HtmlPage.Figure(figure.title(), figure.source(), figure.chart());
  }

  private static List<String> charts(RunReport report) {
    Map<String, List<BarChart.Pair>> byUnit = new LinkedHashMap<>();
    for (Row row : report.rows()) {
      if (row.paper() != null && row.measured() != null) {
        byUnit
            .computeIfAbsent(row.unit(), unit -> new ArrayList<>())
            .add(
                new BarChart.Pair(
                    RowText.words(row.name()),
                    row.paper(),
                    row.measured(),
                    Double.NaN,
                    Double.NaN));
      }
    }
    List<String> charts = new ArrayList<>();
    byUnit.forEach(
        (unit, pairs) ->
            charts.add(
                BarChart.draw(
                    "paper and measured, unit " + unit,
                    unit.equals("1") ? "ratios and shares" : unit.equals("bit/s") ? "rate" : unit,
                    "paper",
                    "measured",
                    unit.equals("bit/s") ? Figures::shortRate : Figures::number,
                    pairs)));
    return charts;
  }
}
