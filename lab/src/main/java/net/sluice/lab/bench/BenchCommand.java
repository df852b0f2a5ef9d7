package net.sluice.lab.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import net.sluice.cli.OptionValues;
import net.sluice.cli.StartFailure;
import net.sluice.embedded.DefaultTopology;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.validate.Refusal;
import net.sluice.lab.bench.switching.SwitchBenchCommand;
import net.sluice.lab.report.ReportOptions;
import net.sluice.lab.report.Row;
import net.sluice.lab.report.RunPage;
import net.sluice.lab.report.RunReport;
import net.sluice.lab.support.ControllerApi;
import net.sluice.lab.support.Progress;
import net.sluice.lab.support.TemporaryDirectory;
import net.sluice.pipeconf.V1ModelPipeline;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
    subcommands = {SwitchBenchCommand.class, FpgaBenchCommand.class})
public final class BenchCommand implements Callable<Integer> {
  private static final long RATE_BPS = 100_000_000_000L;

  /** Single changes measured. */
  private static final int CHANGES = 3_000;

  private static final int MAX_SUBSCRIBERS = (1 << 20) - 1;

  /** Rules a second through ONOS's FlowRuleService, at best. */
  private static final double FLOW_RULES_PER_SECOND = 21_000;

  /** Entries a second through ONOS's P4RuntimeClient, at best; into bmv2 itself go 25,000. */
  private static final double P4RUNTIME_CLIENT_PER_SECOND = 96_000;

  /** Least share of a bare loopback's rate that entries go into a switch at. */
  private static final double MIN_WRITE_OVER_LOOPBACK = 0.4;

  /** Most times as long as the easy case that the hard one may take. */
  private static final double MAX_HARD_OVER_EASY = 3;

  private static final List<String> NOTES =
      List.of(
          "Easy: one IPv4 address a subscriber. Hard: an IPv4 address and an IPv6 prefix each,"
              + " every fourth with two VLAN tags, every tenth with a rate limit (32,768 at most),"
              + " and a reconcile with 1 % of the subscribers' prefixes deleted, changed or"
              + " foreign.",
          "Wall-clock figures say as much about the hour as about the build. The rows without a"
              + " unit are ratios to a baseline of the same run: bulk.wallOverCpu is wall time over"
              + " the CPU time of controller, client and targets divided by the cores (1 = all"
              + " busy); write.overLoopback compares with a gRPC server that only answers;"
              + " change.p99OverSync with a synced write of a change's size, as many made after the"
              + " changes; hard.overEasy compares times to installed. Changes are noted in the"
              + " audit log and in the events, as they are served.");

  private static final List<String> NETWORK_NOTES =
      List.of(
          "Subscribers, one IPv4 address each, take turns at the switches, which are emulated in"
              + " one process beside this one. network.bulkRatio is the time to installed at all"
              + " switches over that of as many at one, the best of three each; network.heapBytes"
              + " what a subscriber takes of the heap; isolation.p99Ratio the p99 of single changes"
              + " at the other switches while the last one answers nothing, over that while all"
              + " answer.",
          "Wall-clock figures say as much about the hour as about the build.");

  private static final int NETWORK_ROUNDS = 3;
  private static final int MIN_SWITCHES = 2;
  private static final int MAX_SWITCHES = 64;

  private static final String SUBSCRIBERS = "1000000";
  private static final String NETWORK_SUBSCRIBERS = "50000";

  @Option(
      names = "--subscribers",
      paramLabel = "N",
      description =
          "Number of subscribers, 1 to 1048575. Default: "
              + SUBSCRIBERS
              + ", with --switches "
              + NETWORK_SUBSCRIBERS
              + ".")
  private String subscribers;

  @Option(
      names = "--switches",
      paramLabel = "N",
      description =
          "Measure one controller of N switches instead, 2 to 64: bulk and heap, and changes beside"
              + " a switch that hangs.")
  private String switches;

  @Mixin private ReportOptions output;

  @Override
  public Integer call() throws StartFailure, IOException, InterruptedException {
    int of =
        switches == null
            ? 1
            : (int) OptionValues.wholeNumber("--switches", switches, MIN_SWITCHES, MAX_SWITCHES);
    String asked = subscribers == null ? of == 1 ? SUBSCRIBERS : NETWORK_SUBSCRIBERS : subscribers;
    int count = (int) OptionValues.wholeNumber("--subscribers", asked, of, MAX_SUBSCRIBERS);
    ReportOptions.Output files = output.checked();
    Progress progress = Progress.on(files.out());
    RunReport result;
    try {
      result =
          of == 1
              ? run(count, CHANGES, progress)
              : runNetwork(of, count, CHANGES, NETWORK_ROUNDS, progress);
    } catch (Refusal | ControllerApi.RefusedException e) {
      return files.failed(e);
    }
    List<String> notes = of == 1 ? NOTES : NETWORK_NOTES;
    return files.show(result, notes, () -> RunPage.page("Sluice's benchmarks", result, notes));
  }

  static RunReport runNetwork(
      int switches, int subscribers, int changes, int rounds, Progress progress)
      throws ControllerApi.RefusedException, StartFailure, IOException, InterruptedException {
    DefaultTopology topology = new DefaultTopology(RATE_BPS);
    return new RunReport(
        "bench",
        1,
        new NetworkBench(topology, switches, subscribers, changes, rounds, progress).run());
  }

  static RunReport run(int subscribers, int changes, Progress progress)
      throws Refusal,
          ControllerApi.RefusedException,
          StartFailure,
          IOException,
          InterruptedException {
    DefaultTopology topology = new DefaultTopology(RATE_BPS);
    List<Row> rows = new ArrayList<>();
    SwitchProfile profile = topology.switchProfile(V1ModelPipeline.load().profile());
    CompileBench.Result compiled =
        CompileBench.run(topology.topology(), profile, topology.fpgaProfile(), subscribers);
    rows.add(
        Row.plain(
            "compile.entriesPerSecond", "1/s", FLOW_RULES_PER_SECOND, compiled.entriesPerSecond()));
    rows.add(Row.plain("compile.cpuPerEntry", "us", null, compiled.cpuMicrosPerEntry()));
    progress.say("compiled");
    try (TargetsProcess targets = TargetsProcess.start(topology)) {
      rows.addAll(writes(targets, subscribers));
    }
    progress.say("written to a switch");
    Map<BenchSubscribers, Double> seconds = new EnumMap<>(BenchSubscribers.class);
    for (BenchSubscribers kind : BenchSubscribers.values()) {
      try (TargetsProcess targets = TargetsProcess.start(topology);
          TemporaryDirectory store = new TemporaryDirectory("sluice-bench")) {
        ControllerBench bench =
            new ControllerBench(
                topology, targets, store.path(), kind, subscribers, changes, progress);
        rows.addAll(bench.run());
        seconds.put(kind, bench.secondsToInstalled());
      }
    }
    rows.add(
        Row.atMost(
            "hard.overEasy",
            "1",
            null,
            seconds.get(BenchSubscribers.HARD) / seconds.get(BenchSubscribers.EASY),
            MAX_HARD_OVER_EASY));
    return new RunReport("bench", 1, rows);
  }

  /** The baseline is measured twice, before and after, and the better one counts. */
  private static List<Row> writes(TargetsProcess targets, int entries)
      throws IOException, InterruptedException {
    double before =
        Loopback.entriesPerSecond(TargetsProcess.host(), targets.loopbackPort(), entries);
    double written;
    CpuTimes cpu = CpuTimes.begin(targets);
    try (EntryWriter writer = EntryWriter.connect(targets.servers(0).p4runtime())) {
      written = writer.entriesPerSecond(entries);
    }
    cpu.end();
    double after =
        Loopback.entriesPerSecond(TargetsProcess.host(), targets.loopbackPort(), entries);
    double loopback = Math.max(before, after);
    return List.of(
        Row.plain("write.entriesPerSecond", "1/s", P4RUNTIME_CLIENT_PER_SECOND, written),
        Row.plain("write.controllerCpuPerEntry", "us", null, cpu.ownMicros(entries)),
        Row.plain("write.switchCpuPerEntry", "us", null, cpu.targetsMicros(entries)),
        Row.plain("write.loopbackEntriesPerSecond", "1/s", null, loopback),
        Row.atLeast("write.overLoopback", "1", null, written / loopback, MIN_WRITE_OVER_LOOPBACK));
  }
}
