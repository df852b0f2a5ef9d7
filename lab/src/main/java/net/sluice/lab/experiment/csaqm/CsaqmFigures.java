package net.sluice.lab.experiment.csaqm;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import net.sluice.lab.report.PaperFigure;
import net.sluice.lab.report.PaperFigure.Bar;
import net.sluice.lab.report.PaperFigure.Scale;
import net.sluice.lab.report.Row;

/** The rows of the CSAQM experiment as the figures of paper 000. */
final class CsaqmFigures {
  private static final String ALLOWED = " Allowed are 5 % of the paper's number.";

  private final Map<String, Row> rows;

  private CsaqmFigures(List<Row> rows) {
    this.rows = rows.stream().collect(Collectors.toMap(Row::name, Function.identity()));
  }

  static List<PaperFigure> of(List<Row> rows) {
    return new CsaqmFigures(rows).figures();
  }

  private List<PaperFigure> figures() {
    return List.of(
        new PaperFigure(
            "Goodput of a subscriber, 10,000 subscribers",
            "Figure 4, scenario (a). The probes are Gold subscribers that send 15 and 50 Mbit/s."
                + ALLOWED,
            Scale.MEGABIT_PER_SECOND,
            List.of(
                bar("Gold", "a.gold.goodput"),
                bar("Silver", "a.silver.goodput"),
                bar("probe, 15", "a.probe15.goodput"),
                bar("probe, 50", "a.probe50.goodput"))),
        new PaperFigure(
            "Goodput of a subscriber, 195,000 subscribers",
            "Figure 8, scenarios (c) and (d); (d) has the line that the paper's rates fill."
                + ALLOWED,
            Scale.KILOBIT_PER_SECOND,
            List.of(
                bar("Gold (c)", "c.gold.goodput"),
                bar("Silver (c)", "c.silver.goodput"),
                bar("Gold (d)", "d.gold.goodput"),
                bar("Silver (d)", "d.silver.goodput"))),
        new PaperFigure(
            "Goodput over that of another class",
            "Figures 4, 5, 6 and 8: Gold over Silver, the probe of 50 Mbit/s and a TCP flow over"
                + " Gold. The paper has no number for (b)."
                + ALLOWED,
            Scale.RATIO,
            List.of(
                bar("G/S (a)", "a.ratio"),
                bar("G/S (b)", "b.ratio"),
                bar("G/S (c)", "c.ratio"),
                bar("G/S (d)", "d.ratio"),
                bar("probe (a)", "a.probe50.goodputOverGold"),
                bar("TCP (e)", "e.tcp.overGold"))),
        new PaperFigure(
            "Goodput beside TCP flows",
            "Figure 5, scenario (e): ten Gold subscribers with a CUBIC flow each." + ALLOWED,
            Scale.MEGABIT_PER_SECOND,
            List.of(bar("Gold", "e.gold.goodput"), bar("TCP", "e.tcp.goodput"))),
        new PaperFigure(
            "Packets lost by the probes",
            "Section V.A, scenario (a). Allowed are 0.1 % where the paper has none, and 5 % of its"
                + " 58 %.",
            Scale.PERCENT,
            List.of(bar("probe, 15", "a.probe15.loss"), bar("probe, 50", "a.probe50.loss"))),
        new PaperFigure(
            "Packets lost by TCP flows",
            "Section V.B, scenario (e): about 2 %. Allowed is what rounds to that.",
            Scale.PERCENT,
            List.of(bar("TCP", "e.tcp.loss"))),
        new PaperFigure(
            "Off the share that water-filling predicts",
            "All scenarios, no number of the paper: the model's prediction from curves and load.",
            Scale.PERCENT,
            List.of("a", "b", "c", "d", "e", "f", "g").stream()
                .flatMap(
                    key ->
                        List.of(
                            bar("Gold (" + key + ")", key + ".gold.offPrediction"),
                            bar("Silver (" + key + ")", key + ".silver.offPrediction"))
                            .stream())
                .toList()),
        new PaperFigure(
            "TCP with ECN, over Gold",
            "Beyond the paper: scenario (f), and (g) with a marker that forgives; the last bar is"
                + " (g)'s probe of 50 Mbit/s.",
            Scale.RATIO,
            List.of(
                bar("TCP (f)", "f.tcp.overGold"),
                bar("TCP (g)", "g.tcp.overGold"),
                bar("probe (g)", "g.probe50.goodputOverGold"))));
  }

  private Bar bar(String label, String row) {
    Row found = rows.get(row);
    if (found == null) {
      throw new IllegalArgumentException("no row " + row);
    }
    return new Bar(label, found);
  }
}
