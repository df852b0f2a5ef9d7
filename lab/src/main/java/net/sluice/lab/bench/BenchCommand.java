package net.sluice.lab.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.validate.Refusal;
import net.sluice.lab.bench.switching.SwitchBenchCommand;
import net.sluice.lab.report.Row;
import net.sluice.lab.report.RowText;
import net.sluice.lab.report.RunReport;
import net.sluice.lab.support.ApiClient;
import net.sluice.lab.support.Progress;
import net.sluice.lab.support.TemporaryDirectory;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.standalone.DefaultTopology;
import net.sluice.standalone.StartFailure;
import net.sluice.standalone.cli.Json;
import net.sluice.standalone.cli.OptionValues;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code sluice bench}: how fast the controller is and how much heap it takes.
 *
 * <p>Exit code 0 if every row keeps its bound, 1 if not, 2 for options that cannot be used.
 */
@Command(
    name = "bench",
    description = "Measure compile, write, install, heap, change and reconcile figures.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    subcommands = SwitchBenchCommand.class)
public final class BenchCommand implements Callable<Integer> {
  private static final long RATE_BPS = 100_000_000_000L;

  /** Single changes measured. */
  private static final int CHANGES = 3_000;

  private static final int MAX_SUBSCRIBERS = (1 << 20) - 1;

  /** Rules a second through ONOS's FlowRuleService, at best. */
  private static final double FLOW_RULES_PER_SECOND = 21_000;

  /** Entries a second through ONOS's P4RuntimeClient, at best; into bmv2 itself go 25,000. */
  private static final double P4RUNTIME_CLIENT_PER_SECOND = 96_000;

  @Option(
      names = "--subscribers",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Number of subscribers, 1 to 1048575. Default: ${DEFAULT-VALUE}.")
  private String subscribers;

  @Option(names = "--report", paramLabel = "FILE", description = "Where to write a JSON report.")
  private String report;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws StartFailure, IOException, InterruptedException {
    int count = (int) OptionValues.wholeNumber("--subscribers", subscribers, 1, MAX_SUBSCRIBERS);
    Path file = report == null ? null : OptionValues.outputFile("--report", report);
    PrintWriter out = spec.commandLine().getOut();
    RunReport result;
    try {
      result = run(count, CHANGES, new Progress(out));
    } catch (Refusal | ApiClient.RefusedException e) {
      PrintWriter err = spec.commandLine().getErr();
      err.println("sluice: " + e.getMessage());
      err.flush();
      return 1;
    }
    out.println();
    out.print(RowText.table(result.rows()));
    if (file != null) {
      Json.write(result, file);
      out.println("report: " + file.toAbsolutePath());
    }
    out.println(result.ok() ? "ok" : "not ok: see the rows marked MISSED");
    out.flush();
    return result.ok() ? 0 : 1;
  }

  static RunReport run(int subscribers, int changes, Progress progress)
      throws Refusal, ApiClient.RefusedException, StartFailure, IOException, InterruptedException {
    DefaultTopology topology = new DefaultTopology(RATE_BPS, RATE_BPS);
    List<Row> rows = new ArrayList<>();
    SwitchProfile profile = topology.switchProfile(V1ModelPipeline.load().profile());
    rows.add(
        Row.plain(
            "compile.entriesPerSecond",
            "1/s",
            FLOW_RULES_PER_SECOND,
            CompileBench.entriesPerSecond(
                topology.topology(), profile, topology.fpgaProfile(), subscribers)));
    progress.say("compiled");
    try (TargetsProcess targets = TargetsProcess.start(topology)) {
      rows.add(
          Row.plain(
              "write.entriesPerSecond",
              "1/s",
              P4RUNTIME_CLIENT_PER_SECOND,
              WriteBench.entriesPerSecond(targets.switchEndpoint(), subscribers)));
    }
    progress.say("written to a switch");
    try (TargetsProcess targets = TargetsProcess.start(topology);
        TemporaryDirectory store = new TemporaryDirectory("sluice-bench")) {
      rows.addAll(
          new ControllerBench(topology, targets, store.path(), subscribers, changes, progress)
              .run());
    }
    return RunReport.of("bench", 1, rows);
  }
}
