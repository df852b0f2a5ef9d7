package net.sluice.lab.experiment.dragonking;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import net.sluice.lab.LabRuns;
import net.sluice.lab.report.Row;
import net.sluice.lab.report.RunReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DragonkingCommandTest {
  private final LabRuns runs;

  DragonkingCommandTest(@TempDir Path folder) {
    runs = new LabRuns(folder);
  }

  private int run(String name) {
    return runs.run(
        name,
        "experiment",
        "dragonking",
        "--aggregate",
        "1G",
        "--flow-rate",
        "2M",
        "--packet",
        "1000",
        "--burst",
        "200",
        "--seed",
        "3");
  }

  @Test
  void aCaseKeepsItsBoundsAndTheSameSeedGivesTheSameRows() throws Exception {
    assertThat(run("first.json")).as(runs.out.toString()).isZero();
    assertThat(run("again.json")).isZero();
    RunReport first = runs.report("first.json");
    assertThat(runs.report("again.json")).isEqualTo(first);
    assertThat(first.name()).isEqualTo("dragonking");
    assertThat(first.seed()).isEqualTo(3);
    assertThat(first.rows())
        .extracting(Row::name)
        .startsWith("case.accuracy", "case.worstFlow", "case.maxBurstPackets", "case.lost");
    assertThat(runs.lastPage()).contains("DragonKing: paper and measured");
  }
}
