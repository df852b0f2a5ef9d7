package net.sluice.lab.experiment.codelact;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import net.sluice.lab.LabMain;
import net.sluice.lab.report.Row;
import net.sluice.lab.report.RunReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CodelActCommandTest {
  private final StringWriter out = new StringWriter();

  @TempDir private Path folder;

  private int run(String name) {
    CommandLine line = LabMain.commandLine();
    line.setOut(new PrintWriter(out, true));
    return line.execute(
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
        "3",
        "--report",
        folder.resolve(name).toString(),
        "--page",
        folder.resolve("page.html").toString());
  }

  private RunReport report(String name) throws Exception {
    return new ObjectMapper().readValue(Files.readString(folder.resolve(name)), RunReport.class);
  }

  @Test
  void aCaseReportsEveryColumnAndTheSameSeedTheSameRows() throws Exception {
    int exit = run("first.json");
    RunReport first = report("first.json");
    assertThat(exit).isEqualTo(first.ok() ? 0 : 1);
    assertThat(run("again.json")).isEqualTo(exit);
    assertThat(report("again.json")).isEqualTo(first);
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
    assertThat(out.toString()).contains("of 8: case, CoDel-ACT, unheld, mix, 3", "act.mean.case");
    assertThat(Files.readString(folder.resolve("page.html")))
        .contains("CoDel-ACT: paper and measured", "P4-CoDel", "queue delay over time, case")
        .contains("distribution of the queue delay, case", "<svg");
  }
}
