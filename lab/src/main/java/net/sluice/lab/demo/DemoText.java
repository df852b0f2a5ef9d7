package net.sluice.lab.demo;

import java.util.ArrayList;
import java.util.List;
import net.sluice.lab.report.TextTable;
import net.sluice.lab.support.Figures;

/** A {@link DemoReport} in words, for the terminal and for the page. */
final class DemoText {
  /** Heads of the table of groups. */
  static final List<String> HEADS =
      List.of(
          "group",
          "policy",
          "subscribers",
          "offered",
          "limit asked",
          "limit granted",
          "predicted share",
          "delivered",
          "off by",
          "loss",
          "queue delay mean",
          "queue delay p99",
          "");

  private DemoText() {}

  /** One line of the table per group. */
  static List<List<String>> lines(DemoReport report) {
    List<List<String>> lines = new ArrayList<>();
    for (DemoReport.Group group : report.groups()) {
      lines.add(
          List.of(
              group.name(),
              group.policy(),
              Integer.toString(group.subscribers()),
              Figures.rate(group.offeredBps()),
              group.limitBps() == null ? "-" : Figures.rate(group.limitBps()),
              group.grantedLimitBps() == null ? "-" : Figures.rate(group.grantedLimitBps()),
              Figures.rate(group.predictedBps()),
              Figures.rate(group.deliveredBps()),
              // Of a share of less than a bit per second there is nothing to be off by.
              group.predictedBps() < 1
                  ? "-"
                  : Figures.percent(group.deliveredBps() / group.predictedBps() - 1),
              Figures.percent(group.loss()),
              micros(group.queueDelayMicrosMean()),
              micros(group.queueDelayMicrosP99()),
              group.ok() ? "ok" : "MISSED"));
    }
    return lines;
  }

  /** The table and the verdict as plain text. */
  static String text(DemoReport report) {
    TextTable table = new TextTable(HEADS.toArray(new String[0]));
    lines(report).forEach(line -> table.line(line.toArray(new String[0])));
    StringBuilder text = new StringBuilder(table.text()).append('\n');
    notes(report).forEach(note -> text.append(note).append('\n'));
    report.reasons().forEach(reason -> text.append("- ").append(reason).append('\n'));
    return text.append(verdict(report)).append('\n').toString();
  }

  /** Whether all groups got what was predicted. */
  static String verdict(DemoReport report) {
    return report.ok()
        ? "ok: every group got its predicted share within 5 %, and nobody below its share lost"
            + " packets."
        : "not ok: see the reasons above.";
  }

  /** Explains the numbers and the effect of rate limits. */
  static List<String> notes(DemoReport report) {
    List<String> notes = new ArrayList<>();
    notes.add(
        "Rates are per subscriber, frame bits per second. The bottleneck of "
            + Figures.rate(report.bottleneckBps())
            + " was "
            + Figures.percent(report.utilization())
            + " busy for "
            + Figures.number(report.virtualSeconds())
            + " virtual seconds, after a warm-up of "
            + Figures.number(report.warmUpSeconds())
            + "; wall time "
            + Figures.number(report.wallSeconds())
            + " s.");
    for (DemoReport.Group group : report.groups()) {
      if (group.grantedLimitBps() != null && group.grantedLimitBps() < group.offeredBps()) {
        notes.add(
            group.name()
                + ": what exceeds the granted limit of "
                + Figures.rate(group.grantedLimitBps())
                + " is lost at the FPGA by design; beyond that "
                + Figures.percent(group.lossBeyondLimit())
                + " was lost.");
      }
    }
    return notes;
  }

  private static String micros(Double micros) {
    return micros == null ? "-" : Figures.micros(micros);
  }
}
