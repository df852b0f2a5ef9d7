package net.sluice.lab.experiment.codelact;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import net.sluice.lab.LabRuns;
import net.sluice.lab.report.Row;
import net.sluice.lab.report.RunReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CodelActCommandTest {
  private final LabRuns runs;

  CodelActCommandTest(@TempDir Path folder) {
    runs = new LabRuns(folder);
  }

  private int run(String name) {
    return runs.run(
        name,
        "experiment",
        "codel-act",
        "--flows",
        "2",
        "--rate",
        "10M",
        "--rtt",
        "5-10",
        "--seconds",
        "1",
        "--senders",
        "unheld",
        "--cc",
        "mix",
        "--seed",
        "3");
  }

  @Test
  void aCaseReportsEveryColumnAndTheSameSeedTheSameRows() throws Exception {
    int exit = run("first.json");
    RunReport first = runs.report("first.json");
    assertThat(exit).isEqualTo(first.ok() ? 0 : 1);
    assertThat(run("again.json")).isEqualTo(exit);
    assertThat(runs.report("again.json")).isEqualTo(first);
    assertThat(first.name()).isEqualTo("codel-act");
    assertThat(first.seed()).isEqualTo(3);
    assertThat(first.rows())
        .extracting(Row::name)
        .contains(
            "sqrt.meanError",
            "sqrt.worstError",
            "act.mean.case",
            "p4codel.mean.case",
            "rfc8289.mean.case",
            "pie.mean.case",
            "none.mean.case",
            "ecn.mean.case",
            "act.p99.case",
            "ratio.mean.case",
            "ratio.p99.case",
            "goodput.act.case",
            "drops.act.case",
            "bbrShare.act.case",
            "recirculation.case")
        .doesNotHaveDuplicates();
    assertThat(runs.out.toString())
        .contains("of 8: case, CoDel-ACT, unheld, mix, 3", "act.mean.case");
    assertThat(runs.lastPage())
        .contains("CoDel-ACT: paper and measured", "P4-CoDel", "queue delay over time, case")
        .contains("distribution of the queue delay, case", "<svg");
  }
}
