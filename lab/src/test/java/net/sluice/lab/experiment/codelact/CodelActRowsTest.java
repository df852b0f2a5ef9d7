package net.sluice.lab.experiment.codelact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import net.sluice.lab.experiment.SettingsOf;
import net.sluice.lab.report.Row;
import net.sluice.lab.report.Verdict;
import net.sluice.pipeconf.CounterCodec.QueueEvent;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** The bound of each row, and the paper's number beside it. */
class CodelActRowsTest {
  private static CellResult result(double millis, double goodputBps, long drops) {
    Histogram delays = new Histogram(3);
    delays.recordValueWithCount((long) (millis * 1e6), 1_000);
    return new CellResult(
        10,
        delays,
        goodputBps,
        goodputBps / 4,
        Map.of(
            QueueEvent.DROPPED,
            drops,
            QueueEvent.MARKED,
            0L,
            QueueEvent.CYCLE,
            200L,
            QueueEvent.SYNCHRONISED,
            70L),
        0,
        new double[0]);
  }

  private static Map<Column, CellSummary> cell(Cell cell, CellResult act, CellResult p4Codel) {
    Map<Column, CellSummary> columns = new EnumMap<>(Column.class);
    for (Column column : Column.values()) {
      columns.put(
          column, new CellSummary(cell, column, List.of(column == Column.ACT ? act : p4Codel)));
    }
    return columns;
  }

  private static Row row(List<Row> rows, String name) {
    return rows.stream().filter(row -> row.name().equals(name)).findFirst().orElseThrow();
  }

  private static List<String> missed(List<Row> rows) {
    return rows.stream().filter(row -> !row.ok()).map(Row::name).toList();
  }

  @Test
  void keepsThePapersBounds() {
    List<Row> rows =
        CodelActRows.cell(cell(Cell.TEN_FLOWS, result(4.9, 83e6, 50), result(8, 82e6, 40)));
    assertThat(missed(rows)).isEmpty();
    assertThat(row(rows, "act.mean.100M.10").bound()).isEqualTo(5);
    assertThat(row(rows, "p4codel.mean.100M.10").paper()).isEqualTo(8.3);
    assertThat(row(rows, "p4codel.mean.100M.10").verdict()).isEqualTo(Verdict.REPRODUCED);
    assertThat(row(rows, "goodput.act.100M.10").verdict()).isEqualTo(Verdict.DIRECTION);
    assertThat(row(rows, "goodput.act.100M.10").paper()).isEqualTo(82.4e6);
    assertThat(row(rows, "goodput.act.100M.10").baseline()).isEqualTo(82e6);
    assertThat(row(rows, "recirculation.100M.10").measured()).isEqualTo(7);
    assertThat(row(rows, "startsAndEnds.100M.10").measured()).isEqualTo(40);
  }

  @Test
  void whatDoesNotKeepThemIsMissed() {
    assertThat(
            missed(
                CodelActRows.cell(
                    cell(Cell.TEN_FLOWS, result(5.1, 81e6, 30), result(8, 82e6, 40)))))
        .containsExactly("act.mean.100M.10", "goodput.act.100M.10", "drops.act.100M.10");
    assertThat(
            missed(
                CodelActRows.cell(
                    cell(Cell.FIFTY_FLOWS, result(4.9, 9e8, 30), result(4.9, 9e8, 40)))))
        .containsExactly("ratio.mean.1000M.50", "ratio.p99.1000M.50");
    List<Row> less =
        CodelActRows.cell(cell(Cell.FIFTY_FLOWS, result(4.9, 9e8, 30), result(8, 9e8, 40)));
    assertThat(missed(less)).isEmpty();
    assertThat(row(less, "ratio.mean.1000M.50").verdict()).isEqualTo(Verdict.DIRECTION);
    List<Row> half =
        CodelActRows.cell(cell(Cell.FIFTY_FLOWS, result(3.9, 9e8, 30), result(8, 9e8, 40)));
    assertThat(row(half, "ratio.mean.1000M.50").verdict()).isEqualTo(Verdict.REPRODUCED);
  }

  private static CodelActOptions options(String senders) {
    return CodelActOptions.of(SettingsOf.of(CodelActOptions.KIND, "--senders", senders));
  }

  @Test
  void rowsOfOtherCongestionControlsSayWhichAndWhatBbrHad() {
    CellSummary summary = new CellSummary(Cell.TEN_FLOWS, Column.PIE, List.of(result(4, 80e6, 11)));
    List<Row> bbr = CodelActRows.mixed(options("blocks"), Senders.UNHELD, FlowMix.BBR, summary);
    assertThat(bbr)
        .extracting(Row::name)
        .containsExactly(
            "unheld.bbr.pie.mean.100M.10",
            "unheld.bbr.pie.p99.100M.10",
            "unheld.bbr.goodput.pie.100M.10",
            "unheld.bbr.drops.pie.100M.10");
    assertThat(row(bbr, "unheld.bbr.goodput.pie.100M.10").measured()).isEqualTo(80e6);
    assertThat(row(bbr, "unheld.bbr.drops.pie.100M.10").measured()).isEqualTo(11);
    List<Row> mix = CodelActRows.mixed(options("unheld"), Senders.UNHELD, FlowMix.MIX, summary);
    assertThat(mix).hasSize(5);
    assertThat(row(mix, "mix.bbrShare.pie.100M.10").measured()).isEqualTo(0.25);
  }

  @Test
  void queuesWithoutDelayAreAlike() {
    List<Row> rows =
        CodelActRows.cell(cell(Cell.TEN_FLOWS, result(0, 82e6, 0), result(0, 82e6, 0)));
    assertThat(missed(rows)).containsExactly("p4codel.mean.100M.10");
    assertThat(row(rows, "ratio.mean.100M.10").measured()).isEqualTo(1);
  }

  @Test
  void figuresAreMeansOfTheRuns() {
    CellSummary summary =
        new CellSummary(
            Cell.TEN_FLOWS, Column.ACT, List.of(result(2, 80e6, 10), result(4, 90e6, 20)));
    assertThat(summary.goodputBps()).isEqualTo(85e6);
    assertThat(summary.drops()).isEqualTo(15);
    assertThat(summary.meanMillis()).isBetween(2.99, 3.01);
    assertThat(summary.least(CellResult::drops)).isEqualTo(10);
    assertThat(summary.most(CellResult::drops)).isEqualTo(20);
    assertThat(summary.delaysNanos().getTotalCount()).isEqualTo(2_000);
  }
}
