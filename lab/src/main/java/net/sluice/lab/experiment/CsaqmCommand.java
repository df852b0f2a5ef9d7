package net.sluice.lab.experiment;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import net.sluice.intents.marker.RandomRates;
import net.sluice.lab.demo.NetworkRun;
import net.sluice.lab.report.RowText;
import net.sluice.lab.report.RunPage;
import net.sluice.lab.report.RunReport;
import net.sluice.lab.support.ApiClient;
import net.sluice.lab.support.Progress;
import net.sluice.standalone.StartFailure;
import net.sluice.standalone.cli.Json;
import net.sluice.standalone.cli.OptionValues;
import net.sluice.standalone.cli.RandomBits;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code sluice experiment csaqm}: the static scenarios of paper 000.
 *
 * <p>Exit code 0 if every row keeps its bound, 1 if not, 2 for options that cannot be used.
 */
@Command(
    name = "csaqm",
    description =
        "The scenarios of the CSAQM marker's evaluation: 10,000, 35,000 and 195,000 subscribers,"
            + " and TCP flows beside 10,000.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class CsaqmCommand implements Callable<Integer> {
  @Option(names = "--report", paramLabel = "FILE", description = "Where to write a JSON report.")
  private String report;

  @Option(
      names = "--page",
      paramLabel = "FILE",
      defaultValue = "experiment-csaqm.html",
      description = "Where to write the page with charts. Default: ${DEFAULT-VALUE}.")
  private String page;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of everything random. Default: ${DEFAULT-VALUE}.")
  private String seed;

  @Option(
      names = "--quick",
      description =
          "A hundredth of the subscribers on a hundredth of the line: seconds instead of minutes,"
              + " the same shares.")
  private boolean quick;

  @Option(
      names = "--random-bits",
      paramLabel = "BITS",
      defaultValue = "8",
      converter = RandomBits.class,
      description =
          "Random bits of the marker: 8, the paper's, or 16, the controller's."
              + " Default: ${DEFAULT-VALUE}.")
  private RandomRates randomRates;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws StartFailure, IOException, InterruptedException {
    long seedValue = OptionValues.wholeNumber("--seed", seed, Long.MIN_VALUE, Long.MAX_VALUE);
    Path pageFile = OptionValues.outputFile("--page", page);
    Path reportFile = report == null ? null : OptionValues.outputFile("--report", report);
    PrintWriter out = spec.commandLine().getOut();
    Progress progress = new Progress(out);
    RunReport result;
    try {
      result =
          CsaqmExperiment.run(
              quick, randomRates, seedValue, run -> NetworkRun.run(run, progress), progress);
    } catch (ApiClient.RefusedException e) {
      PrintWriter err = spec.commandLine().getErr();
      err.println("sluice: " + e.getMessage());
      err.flush();
      return 1;
    }
    out.println();
    RowText.reproduced(result.rows()).ifPresent(out::println);
    CsaqmNotes.NOTES.forEach(out::println);
    RunPage.page("CSAQM marker: paper and measured", result, CsaqmNotes.NOTES).write(pageFile);
    out.println("page: " + pageFile.toAbsolutePath());
    if (reportFile != null) {
      Json.write(result, reportFile);
      out.println("report: " + reportFile.toAbsolutePath());
    }
    out.println(result.ok() ? "ok" : "not ok: see the rows marked MISSED");
    out.flush();
    return result.ok() ? 0 : 1;
  }
}
