package net.sluice.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import net.sluice.intents.marker.RandomRates;
import net.sluice.lab.demo.NetworkRun;
import net.sluice.lab.report.Row;
import net.sluice.lab.report.RunReport;
import net.sluice.lab.support.Progress;
import net.sluice.standalone.Logging;
import net.sluice.standalone.cli.Json;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The quick experiment as the command runs it. */
class CsaqmExperimentTest {
  private static final Progress SILENT = new Progress(new PrintWriter(new StringWriter()));

  @BeforeAll
  static void quietLogs() {
    Logging.configure();
  }

  @Test
  void reproducesThePaperExceptForSilverInSectionCAndLossesOfTcp() throws Exception {
    RunReport report =
        CsaqmExperiment.run(
            true, RandomRates.PAPER_8_BITS, 3, spec -> NetworkRun.run(spec, SILENT), SILENT);
    List<String> missed = report.rows().stream().filter(row -> !row.ok()).map(Row::name).toList();
    // The paper's own shares leave 5 % of that bottleneck unused: see docs/experiments.md.
    // TCP comes nearer to Gold's share than in the paper; ECN lifts it to 95 % of it only where the
    // marker forgives.
    assertThat(missed)
        .containsExactly(
            "c.silver.goodput", "c.ratio", "e.tcp.overGold", "e.tcp.loss", "f.tcp.overGold");
    assertThat(report.ok()).isFalse();
    assertThat(report.rows().stream().filter(Row::reproduced).map(Row::name))
        .containsExactly(
            "a.probe15.loss", "a.probe15.goodput", "a.probe50.goodputOverGold", "e.tcp.goodput");
    assertThat(report.rows())
        .filteredOn(row -> row.name().endsWith("offPrediction"))
        .hasSize(14)
        .allSatisfy(row -> assertThat(row.measured()).isLessThan(0.03));
    assertThat(report.rows())
        .filteredOn(row -> row.name().endsWith("tcp.overGold"))
        .hasSize(3)
        .allSatisfy(row -> assertThat(row.measured()).isBetween(0.85, 1.05));
    assertThat(Json.read(Json.write(report), RunReport.class)).isEqualTo(report);
  }
}
