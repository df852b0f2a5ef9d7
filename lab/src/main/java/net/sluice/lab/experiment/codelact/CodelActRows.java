package net.sluice.lab.experiment.codelact;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import net.sluice.lab.report.Row;
import net.sluice.pipeconf.CounterCodec.QueueEvent;

/**
 * The rows of the experiment: paper 002's claims as bounds, its numbers beside them. Delays are of
 * packets in the bottleneck's queue.
 */
final class CodelActRows {
  private static final double TARGET_MILLIS = ManagedSwitch.TARGET_MICROS / 1e3;

  /** A cycle's start and its end. */
  private static final int PAPER_MIRRORS_PER_CYCLE = 2;

  private CodelActRows() {}

  /** Figures 6 and 11. */
  static List<Row> law(ControlLaw act, ControlLaw p4Codel) {
    List<Row> rows = new ArrayList<>();
    add(
        rows,
        Row.atMost("sqrt.meanError", "1", null, mean(act), CodelActPaper.LAW_MEAN_ERROR)
            .asClaimed());
    add(
        rows,
        Row.atMost("sqrt.worstError", "1", null, worst(act), CodelActPaper.LAW_WORST_ERROR)
            .asClaimed());
    add(
        rows,
        Row.atMost("sqrt.latest", "ms", null, latest(act), CodelActPaper.LAW_LATEST_MILLIS)
            .asClaimed());
    add(rows, Row.plain("sqrt.p4codel.meanError", "1", null, mean(p4Codel)));
    add(rows, predecessor("sqrt.p4codel.worstError", "1", worst(p4Codel)));
    add(rows, predecessor("sqrt.p4codel.latest", "ms", latest(p4Codel)));
    return rows;
  }

  /** A cell with all its columns. */
  static List<Row> cell(Map<Column, CellSummary> columns) {
    CellSummary act = columns.get(Column.ACT);
    CellSummary p4Codel = columns.get(Column.P4_CODEL);
    String key = act.cell().key();
    List<Row> rows = new ArrayList<>();
    columns.forEach(
        (column, summary) -> {
          String name = column.key() + ".mean." + key;
          double mean = summary.meanMillis();
          add(
              rows,
              column == Column.ACT
                  ? Row.atMost(name, "ms", null, mean, TARGET_MILLIS).asClaimed()
                  : predecessor(name, "ms", mean));
        });
    columns.forEach(
        (column, summary) -> {
          add(rows, Row.plain(column.key() + ".p50." + key, "ms", null, summary.medianMillis()));
          add(rows, Row.plain(column.key() + ".p99." + key, "ms", null, summary.p99Millis()));
        });
    addRatio(rows, "ratio.mean." + key, ratio(act.meanMillis(), p4Codel.meanMillis()), act.cell());
    addRatio(rows, "ratio.p99." + key, ratio(act.p99Millis(), p4Codel.p99Millis()), act.cell());
    add(
        rows,
        Row.plain(
            "ratio.p50." + key, "1", null, ratio(act.medianMillis(), p4Codel.medianMillis())));
    columns.forEach(
        (column, summary) -> {
          String name = "goodput." + column.key() + "." + key;
          double goodput = summary.goodputBps();
          double baseline = p4Codel.goodputBps();
          add(
              rows,
              column == Column.ACT
                  ? Row.notBelow(name, "bit/s", baseline, goodput)
                  : predecessor(name, "bit/s", goodput));
        });
    columns.forEach(
        (column, summary) -> {
          String name = "drops." + column.key() + "." + key;
          double baseline = p4Codel.drops();
          add(
              rows,
              column == Column.ACT && act.cell().equals(Cell.TEN_FLOWS)
                  ? Row.notBelow(name, "1", baseline, summary.drops())
                  : Row.plain(name, "1", null, summary.drops()));
        });
    add(
        rows,
        Row.atMost(
                "recirculation." + key,
                "1/s",
                null,
                act.perSecond(QueueEvent.SYNCHRONISED),
                CodelActPaper.MOST_RECIRCULATED)
            .asClaimed());
    add(
        rows,
        Row.plain(
            "startsAndEnds." + key,
            "1/s",
            null,
            PAPER_MIRRORS_PER_CYCLE * act.perSecond(QueueEvent.CYCLE)));
    return rows;
  }

  /** CoDel-ACT and its predecessor where senders behave otherwise; nothing is required of it. */
  static List<Row> otherwise(Senders senders, CellSummary act, CellSummary p4Codel) {
    String name = senders.text() + ".";
    String key = act.cell().key();
    return List.of(
        Row.plain(name + "act.mean." + key, "ms", null, act.meanMillis()),
        Row.plain(name + "p4codel.mean." + key, "ms", null, p4Codel.meanMillis()),
        Row.plain(
            name + "ratio.mean." + key, "1", null, ratio(act.meanMillis(), p4Codel.meanMillis())),
        Row.plain(
            name + "ratio.p99." + key, "1", null, ratio(act.p99Millis(), p4Codel.p99Millis())),
        Row.plain(
            name + "ratio.p50." + key,
            "1",
            null,
            ratio(act.medianMillis(), p4Codel.medianMillis())),
        Row.plain(
            name + "startsAndEnds." + key,
            "1/s",
            null,
            PAPER_MIRRORS_PER_CYCLE * act.perSecond(QueueEvent.CYCLE)));
  }

  /** A cell with flows of another congestion control; nothing is required of it. */
  static List<Row> mixed(
      CodelActOptions options, Senders senders, FlowMix mix, CellSummary summary) {
    String name = (senders == options.senders() ? "" : senders.text() + ".") + mix.text() + ".";
    String column = summary.column().key();
    String key = summary.cell().key();
    List<Row> rows = new ArrayList<>();
    rows.add(Row.plain(name + column + ".mean." + key, "ms", null, summary.meanMillis()));
    rows.add(Row.plain(name + column + ".p99." + key, "ms", null, summary.p99Millis()));
    rows.add(
        Row.plain(name + "goodput." + column + "." + key, "bit/s", null, summary.goodputBps()));
    rows.add(Row.plain(name + "drops." + column + "." + key, "1", null, summary.drops()));
    if (mix == FlowMix.MIX) {
      rows.add(share(name, summary));
    }
    return rows;
  }

  /** Which part of the goodput flows with BBR had; nothing is required of it. */
  static Row share(String prefix, CellSummary summary) {
    return Row.plain(
        prefix + "bbrShare." + summary.column().key() + "." + summary.cell().key(),
        "1",
        null,
        summary.mean(CellResult::bbrShare));
  }

  /** Of two queues without delay neither has the shorter one. */
  private static double ratio(double delay, double other) {
    return delay == other ? 1 : delay / other;
  }

  private static void addRatio(List<Row> rows, String name, double ratio, Cell cell) {
    add(
        rows,
        cell.equals(Cell.FIFTY_FLOWS)
            ? Row.atMost(name, "1", 1.0, ratio, CodelActPaper.FIFTY_FLOWS_RATIO).asClaimed()
            : Row.plain(name, "1", null, ratio));
  }

  /** A row of another column than CoDel-ACT's, held against the paper's number if it has one. */
  private static Row predecessor(String name, String unit, double measured) {
    return CodelActPaper.VALUES
        .of(name)
        .map(paper -> Row.reproduces(name, unit, paper, measured, CodelActPaper.TOLERANCE))
        .orElseGet(() -> Row.plain(name, unit, null, measured));
  }

  private static void add(List<Row> rows, Row row) {
    rows.add(CodelActPaper.VALUES.beside(row));
  }

  private static double mean(ControlLaw law) {
    return counts(law).mapToDouble(law::error).average().orElseThrow();
  }

  private static double worst(ControlLaw law) {
    return counts(law).mapToDouble(law::error).max().orElseThrow();
  }

  private static double latest(ControlLaw law) {
    return counts(law).mapToDouble(law::lateMillis).max().orElseThrow();
  }

  /** The predecessor never waits for a whole interval after a drop. */
  private static IntStream counts(ControlLaw law) {
    return IntStream.rangeClosed(1, ControlLaw.COUNTS)
        .filter(count -> Double.isFinite(law.error(count)));
  }
}
