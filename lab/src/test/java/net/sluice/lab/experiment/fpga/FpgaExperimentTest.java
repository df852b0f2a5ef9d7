package net.sluice.lab.experiment.fpga;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import net.sluice.lab.LabRuns;
import net.sluice.lab.experiment.MissingToolsException;
import net.sluice.lab.report.Row;
import net.sluice.lab.report.RunReport;
import net.sluice.testing.Prerequisite;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FpgaExperimentTest {
  private final LabRuns runs;

  FpgaExperimentTest(@TempDir Path folder) {
    runs = new LabRuns(folder);
  }

  @BeforeEach
  void tools() throws Exception {
    try {
      CorePrograms.of(List.of(CoreBuild.limited(false)), what -> {});
    } catch (MissingToolsException e) {
      Prerequisite.RTL.skip("the experiment on the FPGA core is not tested: " + e.getMessage());
    }
  }

  private RunReport run(String seed) throws Exception {
    int code =
        runs.run(
            "report.json",
            "experiment",
            "fpga",
            "--queues",
            "40",
            "--rate",
            "300M",
            "--packet",
            "700",
            "--seed",
            seed);
    assertThat(code).as(runs.out.toString()).isZero();
    return runs.report("report.json");
  }

  @Test
  void aCaseKeepsItsBoundsAndTheSameSeedGivesTheSameRows() throws Exception {
    RunReport first = run("3");
    assertThat(run("3")).isEqualTo(first);
    assertThat(run("4").rows()).isNotEqualTo(first.rows());
    assertThat(first.name()).isEqualTo("fpga");
    assertThat(first.rows())
        .extracting(Row::name)
        .startsWith("case.rateError", "case.maxGapMicros", "case.reordered", "case.lost");
    // Word 213 of 1.41 Mbit/s each.
    assertThat(LabRuns.measured(first, "case.grantedBps")).isBetween(300e6, 301e6);
    assertThat(LabRuns.measured(first, "case.maxGapMicros")).isGreaterThan(700 * 8 / 300.4);
    assertThat(runs.lastPage()).contains("Queueing FPGA: paper and measured");
  }
}
