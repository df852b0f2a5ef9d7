package net.sluice.lab.experiment.codelact;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import net.sluice.lab.report.RowText;
import net.sluice.lab.report.RunReport;
import net.sluice.lab.report.chart.HtmlPage;
import net.sluice.lab.support.Progress;
import net.sluice.standalone.cli.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code sluice experiment codel-act}: the evaluation of paper 002.
 *
 * <p>Exit code 0 if every row keeps its bound, 1 if not, 2 for options that cannot be used.
 */
@Command(
    name = "codel-act",
    description = {
      "The evaluation of CoDel-ACT: the delay of a bottleneck's queue under TCP flows, beside its"
          + " predecessor P4-CoDel, RFC 8289, a controller of PIE's kind and no AQM.",
      "With --flows, --rate or --rtt one case alone; what is not given of them is 10, 100M, 5-10.",
      "With --scenario values: Gold and Silver subscribers behind a line whose port drops by packet"
          + " value, whose queue CoDel-ACT manages, or both."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class CodelActCommand implements Callable<Integer> {
  @Option(
      names = "--scenario",
      paramLabel = "NAME",
      defaultValue = "paper",
      description =
          "paper, or values: CoDel together with packet values. Default: ${DEFAULT-VALUE}.")
  private String scenario;

  @Option(names = "--flows", paramLabel = "N", description = "TCP flows of the case.")
  private String flows;

  @Option(names = "--rate", paramLabel = "RATE", description = "Rate of the case's bottleneck.")
  private String rate;

  @Option(
      names = "--rtt",
      paramLabel = "MIN-MAX",
      description = "Round-trip times of the case's flows without queues, ms.")
  private String rtt;

  @Option(
      names = "--senders",
      paramLabel = "HOW",
      defaultValue = "blocks",
      description = {
        "blocks: held to 90 %% of the line as iperf3 does, all streams writing at the same time;"
            + " blocks-apart: each at a time of its own; smooth: a segment at a time; unheld: as"
            + " fast as TCP lets them. Default: ${DEFAULT-VALUE}."
      })
  private String senders;

  @Option(
      names = "--cc",
      paramLabel = "HOW",
      defaultValue = "cubic",
      description =
          "Congestion control of the flows: cubic, bbr, or mix, half and half."
              + " Default: ${DEFAULT-VALUE}.")
  private String congestion;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "10",
      description = "Virtual seconds of each run. Default: ${DEFAULT-VALUE}.")
  private String seconds;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Seed of everything random; without a case, of the first of three runs."
              + " Default: ${DEFAULT-VALUE}.")
  private String seed;

  @Option(names = "--report", paramLabel = "FILE", description = "Where to write a JSON report.")
  private String report;

  @Option(
      names = "--page",
      paramLabel = "FILE",
      defaultValue = "experiment-codel-act.html",
      description = "Where to write the page with charts. Default: ${DEFAULT-VALUE}.")
  private String page;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    CodelActOptions options =
        CodelActOptions.parse(
            new CodelActOptions.Raw(
                scenario, flows, rate, rtt, senders, congestion, seconds, seed, report, page));
    PrintWriter out = spec.commandLine().getOut();
    RunReport result;
    List<String> notes;
    HtmlPage pageOfResult;
    if (options.values()) {
      ValuesExperiment values = ValuesExperiment.run(options, new Progress(out));
      result = values.report(options.seed());
      notes = values.notes(options);
      pageOfResult = values.page(options);
    } else {
      CodelActResults results = CodelActExperiment.run(options, new Progress(out));
      result = results.report();
      notes = CodelActNotes.of(options);
      pageOfResult = CodelActPage.of(results, notes);
    }
    out.println();
    out.print(RowText.table(result.rows()));
    RowText.reproduced(result.rows()).ifPresent(out::println);
    notes.forEach(out::println);
    pageOfResult.write(options.page());
    out.println("page: " + options.page().toAbsolutePath());
    options
        .report()
        .ifPresent(
            file -> {
              Json.write(result, file);
              out.println("report: " + file.toAbsolutePath());
            });
    out.println(result.ok() ? "ok" : "not ok: see the rows marked MISSED");
    out.flush();
    return result.ok() ? 0 : 1;
  }
}
