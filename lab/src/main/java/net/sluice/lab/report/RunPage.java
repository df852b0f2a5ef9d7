package net.sluice.lab.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.sluice.lab.report.chart.BarChart;
import net.sluice.lab.report.chart.HtmlPage;
import net.sluice.lab.support.Figures;

/** The page of a {@link RunReport}: its table, and a chart of every unit the paper has rows in. */
public final class RunPage {
  private RunPage() {}

  /**
   * The page.
   *
   * @param title its heading
   * @param notes paragraphs that say what the numbers mean
   */
  public static HtmlPage page(String title, RunReport report, List<String> notes) {
    HtmlPage page = new HtmlPage(title);
    page.verdict(
        report.ok(),
        report.ok()
            ? "ok: every row keeps its bound."
            : "not ok: " + missed(report) + " of " + report.rows().size() + " rows miss.");
    RowText.reproduced(report.rows()).ifPresent(page::paragraph);
    notes.forEach(page::paragraph);
    page.table(RowText.HEADS, RowText.lines(report.rows()));
    charts(report).forEach(page::chart);
    return page;
  }

  private static long missed(RunReport report) {
    return report.rows().stream().filter(row -> !row.ok()).count();
  }

  private static List<String> charts(RunReport report) {
    Map<String, List<BarChart.Pair>> byUnit = new LinkedHashMap<>();
    for (Row row : report.rows()) {
      if (row.paper() != null && row.measured() != null) {
        byUnit
            .computeIfAbsent(row.unit(), unit -> new ArrayList<>())
            .add(
                new BarChart.Pair(row.name(), row.paper(), row.measured(), Double.NaN, Double.NaN));
      }
    }
    List<String> charts = new ArrayList<>();
    byUnit.forEach(
        (unit, pairs) ->
            charts.add(
                BarChart.draw(
                    "paper and measured, unit " + unit,
                    unit.equals("1") ? "ratios and shares" : unit,
                    "paper",
                    "measured",
                    unit.equals("bit/s") ? Figures::shortRate : Figures::number,
                    pairs)));
    return charts;
  }
}
