package net.sluice.lab.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import net.sluice.lab.report.ReportOptions;
import net.sluice.lab.support.ControllerApi;
import net.sluice.lab.support.Progress;

/** The run of an experiment by a command. */
public final class ExperimentRun {
  private ExperimentRun() {}

  /**
   * Runs an experiment on all cores, prints its rows, and writes page and report.
   *
   * @return the exit code: 0 if no row is missed, 1 if one is
   */
  public static int of(Experiment experiment, ReportOptions.Output files) throws Exception {
    Cases cases = new Cases(Progress.on(files.out()));
    Supplier<Experiment.Outcome> planned = experiment.plan(cases);
    try {
      cases.run(experiment.samplePackets(), experiment::sample);
    } catch (ControllerApi.RefusedException e) {
      return files.failed(e);
    }
    Experiment.Outcome outcome = planned.get();
    List<String> lines = new ArrayList<>(List.of(""));
    lines.addAll(outcome.notes());
    lines.add(outcome.verdict());
    return files.show(outcome.report(), lines, outcome::page);
  }
}
