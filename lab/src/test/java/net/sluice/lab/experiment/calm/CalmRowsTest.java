package net.sluice.lab.experiment.calm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.value.Direction;
import net.sluice.lab.experiment.calm.CalmCell.Bulk;
import net.sluice.lab.report.Row;
import net.sluice.lab.report.Verdict;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class CalmRowsTest {
  private static final long LIMIT_BPS = 50_000_000;

  private static Histogram waits(double millis) {
    Histogram waits = new Histogram(2_000_000_000L, 3);
    waits.recordValue(Math.round(millis * 1e6));
    return waits;
  }

  private static CalmResult result(
      double lightMillis, double bulkMillis, double firstBps, double secondBps, long lost) {
    return new CalmResult(
        waits(lightMillis),
        0,
        List.of(waits(bulkMillis), waits(bulkMillis)),
        new double[] {firstBps, secondBps},
        firstBps + secondBps,
        lost,
        waits(0));
  }

  private static List<String> missed(Enforcement enforcement, Bulk bulk, CalmResult now) {
    CalmPlan plan =
        CalmPlan.oneCase(new CalmCell(enforcement, Direction.DOWN, LIMIT_BPS, bulk, 2, 10, false));
    Map<CalmColumn, CalmResult> results = new EnumMap<>(CalmColumn.class);
    CalmResult reference = result(1, 4, 25e6, 25e6, 0);
    plan.columns().forEach(column -> results.put(column, reference));
    results.put(CalmColumn.NOW, now);
    return CalmRows.of(plan, results).stream()
        .filter(row -> row.verdict() == Verdict.MISSED)
        .map(Row::name)
        .toList();
  }

  @Test
  void whatIsWithinAllBoundsMissesNone() {
    for (Bulk bulk : Bulk.values()) {
      assertThat(missed(Enforcement.SHAPE, bulk, result(1.1, 1.9, 25e6, 25e6, 0)))
          .as(bulk.text())
          .isEmpty();
    }
  }

  @Test
  void eachBoundIsMissedByItself() {
    assertThat(missed(Enforcement.SHAPE, Bulk.CUBIC, result(1.3, 4, 25e6, 25e6, 0)))
        .containsExactly("case.light.overReference");
    assertThat(missed(Enforcement.SHAPE, Bulk.CUBIC, result(11, 4, 25e6, 25e6, 0)))
        .containsExactly("case.light.p99Millis", "case.light.overReference");
    assertThat(missed(Enforcement.SHAPE, Bulk.CUBIC, result(1, 5.1, 25e6, 25e6, 0)))
        .containsExactly("case.bulk.meanMillis");
    assertThat(missed(Enforcement.SHAPE, Bulk.CUBIC, result(1, 4, 23e6, 24e6, 0)))
        .containsExactly("case.utilization");
    assertThat(missed(Enforcement.SHAPE, Bulk.CUBIC, result(1, 4, 25.2e6, 25.2e6, 0)))
        .containsExactly("case.excess");
    assertThat(missed(Enforcement.SHAPE, Bulk.CUBIC, result(1, 4, 16e6, 34e6, 0)))
        .containsExactly("case.jain");
    assertThat(missed(Enforcement.SHAPE, Bulk.PRAGUE, result(1, 2.1, 25e6, 25e6, 0)))
        .containsExactly("case.l4s.p99Millis");
    assertThat(missed(Enforcement.SHAPE, Bulk.PRAGUE_AND_CUBIC, result(1, 1, 16e6, 34e6, 0)))
        .containsExactly("case.l4s.rateRatio");
    assertThat(missed(Enforcement.SHAPE, Bulk.FLOOD, result(1, 4, 25e6, 25e6, 1)))
        .containsExactly("case.neighbour.lost");
  }

  /** The bucket for 10 ms holds 72 ms of the rate: 0.7 % more in ten seconds. */
  @Test
  void aMeterMayLetItsBurstThrough() {
    assertThat(missed(Enforcement.POLICE, Bulk.CUBIC, result(30, 30, 25.3e6, 25.3e6, 0))).isEmpty();
    assertThat(missed(Enforcement.POLICE, Bulk.CUBIC, result(1, 4, 25.5e6, 25.5e6, 0)))
        .containsExactly("case.excess");
  }

  @Test
  void everyQuantityStandsBesideTheReferenceAndWhatWasBefore() {
    CalmPlan plan =
        CalmPlan.oneCase(
            new CalmCell(Enforcement.SHAPE, Direction.DOWN, LIMIT_BPS, Bulk.CUBIC, 2, 10, false));
    Map<CalmColumn, CalmResult> results = new EnumMap<>(CalmColumn.class);
    plan.columns().forEach(column -> results.put(column, result(1, 4, 25e6, 25e6, 0)));
    assertThat(CalmRows.of(plan, results))
        .extracting(Row::name)
        .containsAll(
            Stream.of("light.p99Millis", "bulk.meanMillis", "utilization", "jain")
                .flatMap(each -> Stream.of(each, each + ".reference", each + ".before"))
                .map(each -> "case." + each)
                .toList());
  }
}
