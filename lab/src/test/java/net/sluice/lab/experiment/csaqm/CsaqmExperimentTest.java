package net.sluice.lab.experiment.csaqm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import net.sluice.cli.Json;
import net.sluice.cli.Logging;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.lab.experiment.Cases;
import net.sluice.lab.experiment.Experiment;
import net.sluice.lab.report.Row;
import net.sluice.lab.report.RunReport;
import net.sluice.lab.report.Verdict;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The quick experiment as the command runs it. */
class CsaqmExperimentTest {
  @BeforeAll
  static void quietLogs() {
    Logging.configure();
  }

  @Test
  void reproducesThePaperExceptForSilverInSectionCAndLossesOfTcp() throws Exception {
    List<String> said = Collections.synchronizedList(new ArrayList<>());
    Cases cases = new Cases(said::add);
    CsaqmExperiment experiment = new CsaqmExperiment(true, RandomRates.PAPER_8_BITS, 3);
    Supplier<Experiment.Outcome> planned = experiment.plan(cases);
    cases.run(experiment.samplePackets(), experiment::sample);
    Experiment.Outcome outcome = planned.get();
    RunReport report = outcome.report();
    List<String> missed = report.rows().stream().filter(row -> !row.ok()).map(Row::name).toList();
    // The paper's own shares leave 5 % of that bottleneck unused: see docs/measuring.md.
    // TCP comes nearer to Gold's share than in the paper; ECN lifts it to 95 % of it only where the
    // marker forgives.
    assertThat(missed)
        .containsExactly(
            "c.silver.goodput", "c.ratio", "e.tcp.overGold", "e.tcp.loss", "f.tcp.overGold");
    assertThat(report.ok()).isFalse();
    assertThat(
            report.rows().stream()
                .filter(row -> row.verdict() == Verdict.REPRODUCED)
                .map(Row::name))
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
    assertThat(new ObjectMapper().readValue(Json.write(report), RunReport.class)).isEqualTo(report);
    assertThat(said)
        .anyMatch(line -> line.startsWith("7 cases, the work of 7.90 million packets, on "));
    assertThat(said).anyMatch(line -> line.startsWith("7 of 7: ("));
    assertThat(outcome.verdict())
        .startsWith(
            "Figures of the paper: 4 reproduced, 0 direction, 4 missed; 10 fitted: inputs were"
                + " derived from them. Sluice's own bounds: 17 kept, 1 missed.")
        .contains("Silver (c) 429 kbit/s instead of 400 kbit/s");
    assertThat(outcome.page().text())
        .contains(outcome.verdict(), "Quick run: a hundredth of the subscribers");
  }
}
