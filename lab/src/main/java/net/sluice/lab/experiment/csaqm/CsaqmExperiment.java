package net.sluice.lab.experiment.csaqm;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import net.sluice.cli.StartFailure;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.lab.demo.NetworkRun;
import net.sluice.lab.demo.RunResult;
import net.sluice.lab.demo.RunSpec;
import net.sluice.lab.experiment.Cases;
import net.sluice.lab.experiment.Experiment;
import net.sluice.lab.experiment.Notes;
import net.sluice.lab.report.PaperFigure;
import net.sluice.lab.report.Row;
import net.sluice.lab.report.RunPage;
import net.sluice.lab.report.RunReport;
import net.sluice.lab.report.VerdictText;
import net.sluice.lab.support.ControllerApi;
import net.sluice.lab.support.Progress;

/**
 * The scenarios of paper 000.
 *
 * @param quick whether to divide subscribers and lines by {@value #QUICK_DIVISOR}
 * @param randomRates of the marker where the scenario does not say
 * @param seed of everything random
 */
record CsaqmExperiment(boolean quick, RandomRates randomRates, long seed) implements Experiment {
  static final String NAME = "csaqm";

  /** Divisor of subscribers and line rates in a quick run; shares stay the same. */
  static final int QUICK_DIVISOR = 100;

  private static final double FULL_SECONDS = 2;
  private static final double QUICK_SECONDS = 5;

  /** Measured seconds of the sample, a divided scenario: the longer the run, the better known. */
  private static final double FULL_SAMPLE_SECONDS = 9;

  private static final double QUICK_SAMPLE_SECONDS = 1;

  /**
   * The scenarios: the fourth checks why the third differs, the fifth is the paper's of TCP flows,
   * and the last two show how ECN changes them, alone and with a marker that forgives.
   */
  private static final List<CsaqmScenario> SCENARIOS =
      List.of(
          CsaqmScenario.A,
          CsaqmScenario.B,
          CsaqmScenario.C,
          CsaqmScenario.D,
          CsaqmScenario.E,
          CsaqmScenario.F,
          CsaqmScenario.G);

  private static final CsaqmScenario SAMPLE = CsaqmScenario.A.dividedBy(QUICK_DIVISOR);

  private static final String FULL_SCOPE =
      "All subscribers and lines of the paper, 2 virtual seconds measured after 3 of warm-up.";

  private static final String QUICK_SCOPE =
      "Quick run: a hundredth of the subscribers on a hundredth of the line, 5 virtual seconds"
          + " measured after 3 of warm-up. A subscriber's share depends on the line's rate for each"
          + " subscriber, which is the paper's, so the shares are as good. What it leaves out: ten"
          + " TCP flows (there are two), the size of the tables, and the spread, which is that of"
          + " fewer subscribers. The probes take 3.6 % of such a line, which makes Gold's and"
          + " Silver's shares in (a) as much smaller.";

  private List<CsaqmScenario> scenarios() {
    return quick
        ? SCENARIOS.stream().map(scenario -> scenario.dividedBy(QUICK_DIVISOR)).toList()
        : SCENARIOS;
  }

  private double sampleSeconds() {
    return quick ? QUICK_SAMPLE_SECONDS : FULL_SAMPLE_SECONDS;
  }

  @Override
  public double samplePackets() {
    return SAMPLE.work(sampleSeconds());
  }

  @Override
  public RunResult sample(Progress progress)
      throws ControllerApi.RefusedException, StartFailure, IOException, InterruptedException {
    RunSpec spec = SAMPLE.runSpec(randomRates, sampleSeconds(), seed);
    return NetworkRun.run(spec, progress);
  }

  @Override
  public Supplier<Outcome> plan(Cases cases) {
    double seconds = quick ? QUICK_SECONDS : FULL_SECONDS;
    List<Supplier<List<Row>>> rows =
        scenarios().stream()
            .map(
                scenario ->
                    cases.add(
                        "(" + scenario.key() + ")",
                        scenario.work(seconds),
                        progress -> rows(scenario, seconds, progress)))
            .toList();
    return () -> outcome(rows.stream().flatMap(found -> found.get().stream()).toList());
  }

  private List<Row> rows(CsaqmScenario scenario, double seconds, Progress progress)
      throws ControllerApi.RefusedException, StartFailure, IOException, InterruptedException {
    progress.say(scenario.title());
    RunSpec spec = scenario.runSpec(randomRates, seconds, seed);
    return CsaqmRows.of(scenario, NetworkRun.run(spec, progress));
  }

  private Outcome outcome(List<Row> rows) {
    RunReport report = new RunReport(NAME, seed, rows);
    List<PaperFigure> figures = CsaqmFigures.of(rows);
    List<String> notes = Notes.of(NAME);
    return new Outcome(
        report,
        VerdictText.of(figures, rows),
        notes,
        RunPage.page(
            "CSAQM marker: paper and measured",
            report,
            (quick ? QUICK_SCOPE : FULL_SCOPE) + " Seed " + seed + ".",
            figures,
            Map.of(),
            notes));
  }
}
