package net.sluice.lab.experiment;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.function.Supplier;
import net.sluice.cli.Json;
import net.sluice.cli.OptionValues;
import net.sluice.lab.report.RowText;
import net.sluice.lab.support.ApiClient;
import net.sluice.lab.support.Progress;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that every experiment has, and the way to run one and show what came of it. */
public final class ExperimentOptions {
  @Option(names = "--report", paramLabel = "FILE", description = "Where to write a JSON report.")
  private String report;

  @Option(
      names = "--page",
      paramLabel = "FILE",
      description =
          "Where to write the page with charts. Default: experiment-NAME.html, NAME being that of"
              + " the experiment.")
  private String page;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /** A run whose options can be used. */
  public final class Run {
    private final Path pageFile;
    private final Path reportFile;

    private Run() {
      String usual = "experiment-" + spec.name() + ".html";
      pageFile = OptionValues.outputFile("--page", page == null ? usual : page);
      reportFile = report == null ? null : OptionValues.outputFile("--report", report);
    }

    /**
     * Runs an experiment on all cores, prints its rows, and writes page and report.
     *
     * @return the exit code: 0 if every row keeps its bound, 1 if not
     */
    public int of(Experiment experiment) throws Exception {
      PrintWriter out = spec.commandLine().getOut();
      Cases cases = new Cases(Progress.on(out));
      Supplier<Experiment.Outcome> planned = experiment.plan(cases);
      try {
        cases.run(experiment.samplePackets(), experiment::sample);
      } catch (ApiClient.RefusedException e) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("sluice: " + e.getMessage());
        err.flush();
        return 1;
      }
      Experiment.Outcome outcome = planned.get();
      boolean ok = outcome.report().ok();
      out.println();
      out.print(RowText.table(outcome.report().rows()));
      out.println();
      outcome.notes().forEach(out::println);
      out.println(outcome.verdict());
      outcome.page().write(pageFile);
      out.println("page: " + pageFile.toAbsolutePath());
      if (reportFile != null) {
        Json.write(outcome.report(), reportFile);
        out.println("report: " + reportFile.toAbsolutePath());
      }
      out.println(ok ? "ok" : "not ok: see the rows marked MISSED");
      out.flush();
      return ok ? 0 : 1;
    }
  }

  /** Checks the options before anything runs. */
  public Run checked() {
    return new Run();
  }
}
