package net.sluice.lab.experiment;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import net.sluice.intents.marker.RandomRates;
import net.sluice.lab.demo.RunResult;
import net.sluice.lab.demo.RunSpec;
import net.sluice.lab.report.Row;
import net.sluice.lab.report.RowText;
import net.sluice.lab.report.RunReport;
import net.sluice.lab.support.ApiClient;
import net.sluice.lab.support.Progress;
import net.sluice.standalone.StartFailure;

/** Runs the scenarios of paper 000 and collects their rows. */
final class CsaqmExperiment {
  static final String NAME = "csaqm";

  /** Divisor of subscribers and line rates in a quick run; shares stay the same. */
  static final int QUICK_DIVISOR = 100;

  private static final double FULL_SECONDS = 2;
  private static final double QUICK_SECONDS = 5;

  /** Makes a run of a specification; real ones take minutes. */
  @FunctionalInterface
  interface Runner {
    RunResult run(RunSpec spec)
        throws ApiClient.RefusedException, StartFailure, IOException, InterruptedException;
  }

  private CsaqmExperiment() {}

  static RunReport run(
      boolean quick, RandomRates randomRates, long seed, Runner runner, Progress progress)
      throws ApiClient.RefusedException, StartFailure, IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    for (CsaqmScenario scenario : scenarios(quick)) {
      progress.say("(" + scenario.key() + ") " + scenario.title());
      RunSpec spec = scenario.runSpec(randomRates, quick ? QUICK_SECONDS : FULL_SECONDS, seed);
      List<Row> found = CsaqmRows.of(scenario, runner.run(spec));
      progress.say("(" + scenario.key() + ") measured:\n" + RowText.table(found));
      rows.addAll(found);
    }
    return RunReport.of(NAME, seed, rows);
  }

  /**
   * The scenarios: the fourth checks why the third differs, the fifth is the paper's of TCP flows,
   * and the last two what ECN makes of that, alone and with a marker that forgives.
   */
  static List<CsaqmScenario> scenarios(boolean quick) {
    List<CsaqmScenario> scenarios =
        List.of(
            CsaqmScenario.A,
            CsaqmScenario.B,
            CsaqmScenario.C,
            CsaqmScenario.D,
            CsaqmScenario.E,
            CsaqmScenario.F,
            CsaqmScenario.G);
    return quick
        ? scenarios.stream().map(scenario -> scenario.dividedBy(QUICK_DIVISOR)).toList()
        : scenarios;
  }
}
