package net.sluice.lab.experiment.fsam;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import net.sluice.lab.report.PaperFigure;
import net.sluice.lab.report.PaperFigure.Bar;
import net.sluice.lab.report.PaperFigure.Scale;
import net.sluice.lab.report.Row;
import net.sluice.lab.report.chart.Axis;
import net.sluice.lab.report.chart.HtmlPage;
import net.sluice.lab.report.chart.LineChart;
import net.sluice.lab.support.Figures;

/** The rows of the experiment as the tables and figures of paper 003. */
final class FsamFigures {
  private static final String ALLOWED = " Allowed are 10 % of the paper's counts of UDP.";

  private final Map<String, Row> rows;

  private FsamFigures(List<Row> rows) {
    this.rows = rows.stream().collect(Collectors.toMap(Row::name, Function.identity()));
  }

  static List<PaperFigure> of(List<Row> rows) {
    return new FsamFigures(rows).figures();
  }

  private List<PaperFigure> figures() {
    return List.of(
        new PaperFigure(
            "IN packets of two TCP flows and UDP at 2 Mbit/s",
            "Figure 2: TB, PAM and F-SAM; 40 s." + ALLOWED,
            Scale.PACKETS,
            counts("table.mixed.", List.of("tcp1", "tcp2", "udp"))),
        new PaperFigure(
            "IN packets of UDP at 1, 4 and 2 Mbit/s",
            "Figure 3: TB, PAM and F-SAM; 20 s." + ALLOWED,
            Scale.PACKETS,
            counts("table.udp.", List.of("udp1", "udp4", "udp2"))),
        new PaperFigure(
            "Over the token bucket",
            "Claims about figures 4, 5 and 7: mean throughput of long flows alone (4), beside mice"
                + " (5), beside UDP (7). At least half of the paper's margin is asked for.",
            Scale.RATIO,
            List.of(
                bar("F-SAM (4)", "long.throughput.fsamOverTb"),
                bar("PAM (4)", "long.throughput.pamOverTb"),
                bar("F-SAM (5)", "mice.throughput.fsamOverTb"),
                bar("mice (6)", "mice.transfer.fsamOverTb"),
                bar("F-SAM (7)", "udp.throughput.fsamOverTb"),
                bar("PAM (7)", "udp.throughput.pamOverTb"),
                bar("Jain (9)", "udp.jain.fsamOverTb"))),
        new PaperFigure(
            "Deviation of the flows, and UDP, over the token bucket's",
            "Figures 4, 5 and 8: F-SAM's are less.",
            Scale.RATIO,
            List.of(
                bar("flows (4)", "long.deviation.fsamOverTb"),
                bar("flows (5)", "mice.deviation.fsamOverTb"),
                bar("UDP (8)", "udp.udp.fsamOverTb"))),
        new PaperFigure(
            "Jain's index of F-SAM",
            "IN packets of figures 2 and 3; throughput (9), and IN packets of the same runs. At"
                + " least 0.95.",
            Scale.RATIO,
            List.of(
                bar("(2)", "table.mixed.fsam.jain"),
                bar("(3)", "table.udp.fsam.jain"),
                bar("(9)", "udp.jain.fsam"),
                bar("(9), IN", "udp.jain.in.fsam"))));
  }

  private List<Bar> counts(String table, List<String> flows) {
    List<Bar> bars = new ArrayList<>();
    for (MarkerKind marker : List.of(MarkerKind.TOKEN_BUCKET, MarkerKind.PAM, MarkerKind.F_SAM)) {
      for (String flow : flows) {
        bars.add(bar(marker.title() + " " + flow, table + marker.key() + ".in." + flow));
      }
    }
    return bars;
  }

  private Bar bar(String label, String row) {
    return new Bar(label, rows.get(row));
  }

  /** Figures 4 to 9: the markers over the number of long flows. */
  static Map<String, List<HtmlPage.Figure>> charts(List<Integer> flows, List<Row> rows) {
    FsamFigures figures = new FsamFigures(rows);
    Map<String, List<HtmlPage.Figure>> charts = new LinkedHashMap<>();
    charts.put(
        "Figures 4 to 9",
        List.of(
            figures.chart(
                "Figure 4: throughput of a long flow, kbit/s", flows, "long.", "throughput"),
            figures.chart("Figure 4: deviation, kbit/s", flows, "long.", "deviation"),
            figures.chart(
                "Figure 5: throughput of a long flow beside mice, kbit/s",
                flows,
                "mice.",
                "throughput"),
            figures.chart("Figure 5: deviation, kbit/s", flows, "mice.", "deviation"),
            figures.chart("Figure 6: transfer of a mouse, kbit/s", flows, "mice.", "transfer"),
            figures.chart(
                "Figure 7: throughput of a TCP flow beside UDP, kbit/s",
                flows,
                "udp.",
                "throughput"),
            figures.chart("Figure 8: UDP, kbit/s", flows, "udp.", "udp"),
            figures.chart("Figure 9: Jain's index of throughput", flows, "udp.", "jain")));
    return charts;
  }

  private HtmlPage.Figure chart(String title, List<Integer> flows, String figure, String quantity) {
    double[] x = flows.stream().mapToDouble(Integer::doubleValue).toArray();
    double scale = quantity.equals("jain") ? 1 : 1e-3;
    List<LineChart.Series> series = new ArrayList<>();
    double most = 0;
    for (MarkerKind marker : MarkerKind.values()) {
      double[] y =
          flows.stream()
              .mapToDouble(
                  number ->
                      scale
                          * rows.get(figure + number + "." + marker.key() + "." + quantity)
                              .measured())
              .toArray();
      for (double value : y) {
        most = Math.max(most, value);
      }
      series.add(new LineChart.Series(marker.title(), x, y));
    }
    return new HtmlPage.Figure(
        title,
        "Over the number of long flows.",
        LineChart.draw(
            title,
            Axis.fromZero("long flows", x[x.length - 1], Figures::number),
            Axis.fromZero(title, most, Figures::number),
            false,
            series));
  }
}
