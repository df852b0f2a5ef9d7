package net.sluice.lab.experiment.fpga;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.sluice.lab.LabMain;
import net.sluice.lab.report.Row;
import net.sluice.lab.report.RunReport;
import net.sluice.testing.Prerequisite;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class FpgaCommandTest {
  private final StringWriter out = new StringWriter();

  @TempDir private Path folder;

  @BeforeEach
  void tools() throws Exception {
    try {
      CorePrograms.of(List.of(CoreBuild.limited(false)), what -> {});
    } catch (MissingToolsException e) {
      Prerequisite.RTL.skip("the experiment on the FPGA core is not tested: " + e.getMessage());
    }
  }

  private RunReport run(String seed) throws Exception {
    CommandLine line = LabMain.commandLine();
    line.setOut(new PrintWriter(out, true));
    Path report = folder.resolve("report.json");
    int code =
        line.execute(
            "experiment",
            "fpga",
            "--queues",
            "40",
            "--rate",
            "300M",
            "--packet",
            "700",
            "--seed",
            seed,
            "--report",
            report.toString(),
            "--page",
            folder.resolve("page.html").toString());
    assertThat(code).as(out.toString()).isZero();
    return new ObjectMapper().readValue(Files.readString(report), RunReport.class);
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
    assertThat(value(first, "case.grantedBps")).isBetween(300e6, 301e6);
    assertThat(value(first, "case.maxGapMicros")).isGreaterThan(700 * 8 / 300.4);
    assertThat(Files.readString(folder.resolve("page.html")))
        .contains("Queueing FPGA: paper and measured");
  }

  private static double value(RunReport report, String name) {
    return report.rows().stream()
        .filter(row -> row.name().equals(name))
        .findFirst()
        .orElseThrow()
        .measured();
  }
}
