package net.sluice.lab.experiment.fpga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import net.sluice.lab.experiment.MissingToolsException;
import net.sluice.testing.Prerequisite;
import org.junit.jupiter.api.Test;

/** The simulated core at the line and under TCP. */
class CoreRunsTest {
  private static CorePrograms programs(CoreBuild build) throws Exception {
    try {
      return CorePrograms.of(List.of(build), what -> {});
    } catch (MissingToolsException e) {
      return Prerequisite.RTL.skip("the experiment's core is not tested: " + e.getMessage());
    }
  }

  @Test
  void aCoreWithTwoMemoriesKeepsUpWithTheLineAndOneWithOneDoesNot() throws Exception {
    CoreBuild two = CoreBuild.unlimited(false, 2);
    LineLoad line = new LineLoad(two, 2_048, 99.9e9, 0, 12_000, 5);
    LineLoad.Result result = line.run(programs(two), what -> {});
    assertThat(result.lost()).isZero();
    assertThat(result.broken()).isZero();
    // On the line behind, a packet has no queue id.
    assertThat(result.bps()).isCloseTo(99.9e9 * 1_498 / 1_502, within(0.2e9));
    // Written to memory and read from it, 24 beats each.
    assertThat(two.clock().micros(result.least())).isBetween(0.4, 0.8);

    CoreBuild one = CoreBuild.unlimited(false, 1);
    LineLoad over = new LineLoad(one, 2_048, 75e9, 0, 12_000, 5);
    assertThat(over.run(programs(one), what -> {}).bps()).isBetween(50e9, 70e9);
  }

  @Test
  void tcpUnderTheCoresCodelHasTheDelayOfTheReference() throws Exception {
    CodelRun run = new CodelRun(4, 2);
    CodelRun.Result reference = run.reference();
    CodelRun.Result core = run.core(programs(CoreBuild.managed()), what -> {});
    assertThat(core.broken()).isZero();
    assertThat(core.dropsPerSecond()).isPositive();
    assertThat(core.meanMillis()).isCloseTo(reference.meanMillis(), within(2.0));
    assertThat(core.bps()).isCloseTo(reference.bps(), within(0.05 * reference.bps()));
  }
}
