package net.sluice.lab.experiment.fpga;

import java.util.List;
import net.sluice.lab.report.FigureList;
import net.sluice.lab.report.PaperFigure;
import net.sluice.lab.report.PaperFigure.Scale;
import net.sluice.lab.report.Row;

/** The rows of the experiment as the figures of paper 001. */
final class FpgaFigures {
  private FpgaFigures() {}

  /** Those that there are rows for. */
  static List<PaperFigure> of(List<Row> rows) {
    FigureList figures = new FigureList(rows, "core");
    figures.add(
        "Jitter at 99.9 Gbit/s, us",
        "Figure 4: 1.2 us measured with 2,048 queues, 36.864 us computed with 262,144. Spread of 99"
            + " of 100 packets.",
        Scale.MICROSECONDS,
        "jitter.line.");
    figures.add(
        "Jitter of the search alone, us",
        "Section IV.A: computed are 0.288 us with 2,048 queues and 36.864 us with 262,144; here at 2"
            + " Gbit/s, with the memories' refresh.",
        Scale.MICROSECONDS,
        "jitter.round.");
    figures.add(
        "Packets lost at 99.9 Gbit/s",
        "Section IV.A: none of 1,474 bytes.",
        Scale.PACKETS,
        "lost.line.");
    figures.add(
        "Throughput with one DDR4 memory",
        "Section IV.A: around 70 Gbit/s; III.B: 60 to 80.",
        Scale.MEGABIT_PER_SECOND,
        "throughput.");
    figures.add(
        "Time between packets at 100 Mbit/s",
        "Figure 6: one packet at a time, by the number of queues of the build; allowed is a tick and"
            + " a round of the search beside the packet's time.",
        Scale.MICROSECONDS,
        "gap.");
    figures.add(
        "CoDel: delay under three TCP flows, ms",
        "Figure 7: similar to a reference. Allowed is a quarter above that of RFC 8289's pseudocode"
            + " in the same network.",
        Scale.MILLISECONDS,
        "codel.delay.");
    figures.add(
        "CoDel: packets below the target",
        "Figure 7: the delay falls below 5 ms periodically.",
        Scale.PERCENT,
        "codel.belowTarget");
    table(figures, rows, "LUTs by line of Table I", "lut");
    table(figures, rows, "UltraRAMs of 288 Kbit by line of Table I", "uram");
    figures.add(
        "Mean time in the core by queues in use, us",
        "At 99.9 Gbit/s. Below 316 of 262,144 queues in use the search does not come round often"
            + " enough for the line.",
        Scale.MICROSECONDS,
        "inUse.latency.");
    return figures.figures();
  }

  private static void table(FigureList figures, List<Row> rows, String title, String kind) {
    figures.add(
        title,
        "Yosys for UltraScale+; the paper's have its Ethernet, PCIe and DDR4 cores in them.",
        Scale.RATIO,
        rows.stream()
            .filter(row -> row.name().startsWith("tableI.") && row.name().endsWith("." + kind)),
        row -> row.name().split("\\.")[1]);
  }
}
