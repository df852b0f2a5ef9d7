package net.sluice.lab.experiment.codelact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import net.sluice.pipeconf.CounterCodec.QueueEvent;
import org.junit.jupiter.api.Test;

/** Small cells: what senders and columns make of the queue. */
class CellRunTest {
  private static final long RATE_BPS = 20_000_000;
  private static final Cell CELL = new Cell("test", 2, RATE_BPS, 5, 10);

  private static CellResult run(Column column, Senders senders, double seconds, long seed) {
    return CellRun.run(CELL, column, senders, FlowMix.CUBIC, seconds, seed);
  }

  @Test
  void theSameSeedGivesTheSameRun() {
    CellResult first = run(Column.ACT, Senders.UNHELD, 1, 7);
    CellResult again = run(Column.ACT, Senders.UNHELD, 1, 7);
    CellResult other = run(Column.ACT, Senders.UNHELD, 1, 8);
    assertThat(again.delaysNanos()).isEqualTo(first.delaysNanos());
    assertThat(again.sampledMillis()).isEqualTo(first.sampledMillis()).hasSize(100);
    assertThat(again.events()).isEqualTo(first.events());
    assertThat(again.goodputBps()).isEqualTo(first.goodputBps());
    assertThat(other.delaysNanos()).isNotEqualTo(first.delaysNanos());
  }

  @Test
  void unheldFlowsFillTheLineAndEachAlgorithmKeepsTheQueueShorterThanNone() {
    CellResult none = run(Column.NONE, Senders.UNHELD, 4, 1);
    assertThat(none.drops()).isZero();
    // 1,448 bytes of data in each 1,514 of frame and 24 of line.
    assertThat(none.goodputBps()).isCloseTo(RATE_BPS * 1_448 / 1_538.0, within(0.03 * RATE_BPS));
    for (Column column : new Column[] {Column.ACT, Column.P4_CODEL, Column.RFC8289}) {
      CellResult managed = run(column, Senders.UNHELD, 4, 1);
      assertThat(managed.meanMillis()).as(column.title()).isLessThan(none.meanMillis() / 2);
      assertThat(managed.drops()).as(column.title()).isGreaterThan(20);
      assertThat(managed.goodputBps()).isGreaterThan(0.8 * RATE_BPS);
    }
  }

  @Test
  void ecnMarksInsteadOfDropping() {
    CellResult ecn = run(Column.ECN, Senders.UNHELD, 3, 1);
    assertThat(ecn.drops()).isZero();
    assertThat(ecn.events().get(QueueEvent.MARKED)).isGreaterThan(10);
    assertThat(ecn.perSecond(QueueEvent.MARKED))
        .isEqualTo(ecn.events().get(QueueEvent.MARKED) / 3.0);
  }

  /** 90 % of the line each, in a block of 128 KB at a time that takes 55 ms of the line. */
  @Test
  void heldSendersQueueOnlyAsTheyBurst() {
    double held = RATE_BPS * 0.9;
    CellResult smooth = run(Column.NONE, Senders.SMOOTH, 3, 1);
    CellResult apart = run(Column.NONE, Senders.BLOCKS_APART, 3, 1);
    CellResult blocks = run(Column.NONE, Senders.BLOCKS, 3, 1);
    for (CellResult result : new CellResult[] {smooth, apart, blocks}) {
      assertThat(result.goodputBps()).isCloseTo(held, within(0.06 * held));
    }
    assertThat(smooth.meanMillis()).isLessThan(1);
    assertThat(apart.meanMillis()).isBetween(5.0, 40.0);
    assertThat(blocks.meanMillis()).isGreaterThan(1.2 * apart.meanMillis());
    assertThat(blocks.percentileMillis(100)).isGreaterThan(60);
  }

  /** Drops come before the queue, and hold it at the target once slow start is over. */
  @Test
  void dropsAtRandomHoldTheQueueAtTheTarget() {
    CellResult pie = run(Column.PIE, Senders.UNHELD, 8, 1);
    assertThat(pie.drops()).isGreaterThan(50);
    assertThat(pie.events().get(QueueEvent.DROPPED)).isZero();
    assertThat(pie.goodputBps()).isGreaterThan(0.9 * RATE_BPS * 1_448 / 1_538.0);
    double settled = Arrays.stream(pie.sampledMillis()).skip(300).average().orElseThrow();
    assertThat(settled).isBetween(2.5, 7.5);
  }

  @Test
  void flowsWithBbrLeaveAShortQueueWithoutAnyAqmAndShareWithCubic() {
    CellResult cubic = run(Column.NONE, Senders.UNHELD, 4, 1);
    CellResult bbr = CellRun.run(CELL, Column.NONE, Senders.UNHELD, FlowMix.BBR, 4, 1);
    CellResult mix = CellRun.run(CELL, Column.ACT, Senders.UNHELD, FlowMix.MIX, 4, 1);
    assertThat(cubic.bbrShare()).isZero();
    assertThat(bbr.bbrShare()).isEqualTo(1);
    assertThat(mix.bbrShare()).isBetween(0.2, 0.95);
    // Two windows' worth of paths of 10 ms at most, and starting up.
    assertThat(bbr.percentileMillis(50)).isLessThan(20);
    assertThat(bbr.meanMillis()).isLessThan(cubic.meanMillis() / 3);
    assertThat(bbr.goodputBps()).isGreaterThan(0.95 * RATE_BPS * 1_448 / 1_538.0);
  }
}
