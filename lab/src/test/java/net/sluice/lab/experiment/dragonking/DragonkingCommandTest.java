package net.sluice.lab.experiment.dragonking;

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

class DragonkingCommandTest {
  private final StringWriter out = new StringWriter();

  @TempDir private Path folder;

  private int run(String name) {
    CommandLine line = LabMain.commandLine();
    line.setOut(new PrintWriter(out, true));
    return line.execute(
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
  void aCaseKeepsItsBoundsAndTheSameSeedGivesTheSameRows() throws Exception {
    assertThat(run("first.json")).as(out.toString()).isZero();
    assertThat(run("again.json")).isZero();
    RunReport first = report("first.json");
    assertThat(report("again.json")).isEqualTo(first);
    assertThat(first.name()).isEqualTo("dragonking");
    assertThat(first.seed()).isEqualTo(3);
    assertThat(first.rows())
        .extracting(Row::name)
        .startsWith("case.accuracy", "case.worstFlow", "case.maxBurstPackets", "case.lost");
    assertThat(Files.readString(folder.resolve("page.html")))
        .contains("DragonKing: paper and measured");
  }
}
