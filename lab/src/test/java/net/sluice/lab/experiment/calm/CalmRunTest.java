package net.sluice.lab.experiment.calm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.value.Direction;
import net.sluice.lab.experiment.calm.CalmCell.Bulk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The compiled program with its defaults, under a limit that heavy flows fill. */
class CalmRunTest {
  private static final long SEED = 3;
  private static final double WARM_UP_SECONDS = 2;
  private static final double SECONDS = 3;

  private static CalmCell cell(Enforcement enforcement, Bulk bulk, int flows) {
    return new CalmCell(enforcement, Direction.DOWN, 10_000_000, bulk, flows, 20, false);
  }

  private static CalmResult run(CalmCell cell, CalmColumn column, long seed) {
    return CalmRun.run(cell, column, WARM_UP_SECONDS, SECONDS, seed);
  }

  private static double utilization(CalmResult result) {
    return result.rateBps() / 10_000_000;
  }

  @Test
  void lightFlowsPassHeavyOnesWhichFillTheLimitAndWaitLittle() {
    CalmCell cell = cell(Enforcement.SHAPE, Bulk.CUBIC, 4);
    CalmResult now = run(cell, CalmColumn.NOW, SEED);
    CalmResult before = run(cell, CalmColumn.BEFORE, SEED);
    assertThat(now.lightP99Millis()).isLessThan(1);
    assertThat(before.lightP99Millis()).isGreaterThan(200);
    assertThat(now.lightLost()).isZero();
    assertThat(now.bulkMeanMillis()).isBetween(1.0, 15.0);
    assertThat(before.bulkMeanMillis()).isGreaterThan(200);
    assertThat(utilization(now)).isBetween(0.95, 1.005);
  }

  @Test
  void theSameSeedGivesTheSameFiguresAndAnotherOneOthers() {
    CalmCell cell = cell(Enforcement.SHAPE, Bulk.BBR, 2);
    CalmResult first = run(cell, CalmColumn.NOW, SEED);
    CalmResult again = run(cell, CalmColumn.NOW, SEED);
    CalmResult other = run(cell, CalmColumn.NOW, SEED + 1);
    assertThat(again.flowBps()).containsExactly(first.flowBps());
    assertThat(again.flowWaitNanos()).isEqualTo(first.flowWaitNanos());
    assertThat(other.flowBps()).isNotEqualTo(first.flowBps());
  }

  @Test
  void aMeterKeepsItsRateAndNothingWaits() {
    CalmResult now = run(cell(Enforcement.POLICE, Bulk.CUBIC, 4), CalmColumn.NOW, SEED);
    assertThat(now.bulkMeanMillis()).isZero();
    assertThat(utilization(now)).isBetween(0.9, 1.05);
  }

  /** With the bucket that its policy's round-trip time gives; 100 ms of the rate give 0.88 last. */
  @ParameterizedTest
  @CsvSource({"5, 40", "5, 100", "20, 10", "20, 100"})
  void oneCubicFlowGetsAlmostAllOfAMetersRate(int limitMbps, int rttMillis) {
    long bps = limitMbps * 1_000_000L;
    CalmCell cell =
        new CalmCell(Enforcement.POLICE, Direction.DOWN, bps, Bulk.CUBIC, 1, rttMillis, false);
    CalmResult now = CalmRun.run(cell, CalmColumn.NOW, 10, 30, SEED);
    assertThat(now.rateBps() / bps).isBetween(0.95, 1.01);
  }

  @Test
  void aScalableSenderWaitsLessThanCubicBesideItAndLeavesItItsPart() {
    CalmResult now = run(cell(Enforcement.SHAPE, Bulk.PRAGUE_AND_CUBIC, 2), CalmColumn.NOW, SEED);
    assertThat(now.p99Millis(IntStream.of(0)))
        .isLessThan(2)
        .isLessThan(now.p99Millis(IntStream.of(1)));
    assertThat(now.flowBps()[0] / now.flowBps()[1]).isBetween(0.4, 2.5);
  }

  @Test
  void aFloodWaitsNoLongerThanAllowedAndItsNeighbourLosesNothing() {
    CalmResult now = run(cell(Enforcement.SHAPE, Bulk.FLOOD, 1), CalmColumn.NOW, SEED);
    assertThat(now.neighbourLost()).isZero();
    assertThat(now.neighbourWaitNanos().getTotalCount()).isGreaterThan(2_000);
    assertThat(now.p99Millis(IntStream.of(0))).isBetween(50.0, 110.0);
    assertThat(now.lightP99Millis()).isLessThan(1);
  }

  @Test
  void theReferencesAreTheQueuesOfTheirRfcs() {
    CalmCell cell = cell(Enforcement.SHAPE, Bulk.CUBIC, 4);
    CalmResult flowQueues = run(cell, CalmColumn.REFERENCE, SEED);
    CalmResult oneQueue = run(cell, CalmColumn.ONE_QUEUE, SEED);
    assertThat(flowQueues.lightP99Millis()).isBetween(0.5, 3.0);
    assertThat(oneQueue.lightP99Millis()).isGreaterThan(5);
    assertThat(flowQueues.jain()).isGreaterThan(0.99);
    assertThat(oneQueue.bulkMeanMillis()).isBetween(1.0, 15.0);
  }
}
