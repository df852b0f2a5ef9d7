package net.sluice.lab.experiment.codelact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.Arrays;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.lab.LabRuns;
import net.sluice.lab.report.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Packet values and CoDel-ACT, each alone and together. */
class ValuesExperimentTest {
  private static final double TARGET_MILLIS = ManagedSwitch.TARGET_MICROS / 1e3;

  private final LabRuns runs;

  ValuesExperimentTest(@TempDir Path folder) {
    runs = new LabRuns(folder);
  }

  private static ValuesResult run(ValuesTraffic traffic, ValuesColumn column) {
    return ValuesRun.run(traffic, column, 5, 2);
  }

  private static double mean(double[] bps) {
    return Arrays.stream(bps).average().orElseThrow();
  }

  @ParameterizedTest
  @EnumSource
  void togetherTheyShareByPolicyAtCodelsDelay(ValuesTraffic traffic) {
    ValuesResult both = run(traffic, ValuesColumn.BOTH);
    double gold = traffic.shareBps(BuiltInFunction.GOLD);
    double silver = traffic.shareBps(BuiltInFunction.SILVER);
    assertThat(mean(both.goldBps())).isCloseTo(gold, within(0.05 * gold));
    assertThat(mean(both.silverBps())).isCloseTo(silver, within(0.07 * silver));
    assertThat(both.meanMillis()).isBetween(0.5 * TARGET_MILLIS, 1.5 * TARGET_MILLIS);
    assertThat(both.line().utilisation()).isGreaterThan(0.98);
    assertThat(both.leastLine()).isGreaterThan(0.9);
    assertThat(both.line().egressDropPackets()).isZero();
    ValuesResult values = run(traffic, ValuesColumn.VALUES);
    assertThat(both.meanMillis()).isLessThan(0.8 * values.meanMillis());
    assertThat(both.peakMillis()).isLessThan(0.5 * values.peakMillis());
  }

  @ParameterizedTest
  @EnumSource
  void codelAloneKnowsNoPolicies(ValuesTraffic traffic) {
    ValuesResult codel = run(traffic, ValuesColumn.CODEL);
    assertThat(mean(codel.goldBps()) / mean(codel.silverBps())).isBetween(0.8, 1.25);
    assertThat(codel.line().egressDropPackets()).isPositive();
  }

  @Test
  void theCommandReportsEachColumn() throws Exception {
    int exit =
        runs.run(
            "report.json", "experiment", "codel-act", "--scenario", "values", "--seconds", "3");
    assertThat(exit).as(runs.out.toString()).isZero();
    assertThat(runs.report("report.json").rows())
        .extracting(Row::name)
        .contains("values.mean.udp", "codel.gold.udp", "both.mean.udp", "both.silver.tcp")
        .doesNotHaveDuplicates();
    assertThat(runs.lastPage()).contains("queue delay over time, tcp", "rate of a subscriber, udp");
  }
}
