package net.sluice.lab.bench.switching;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import net.sluice.cli.OptionValues;
import net.sluice.lab.report.ReportOptions;
import net.sluice.lab.report.Row;
import net.sluice.lab.report.RunPage;
import net.sluice.lab.report.RunReport;
import net.sluice.lab.report.chart.BarChart;
import net.sluice.lab.report.chart.HtmlPage;
import net.sluice.lab.support.Executables;
import net.sluice.lab.support.Figures;
import net.sluice.lab.support.Progress;
import net.sluice.lab.support.TemporaryDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code sluice bench switch}: how fast the emulated switch is, and how fast bmv2's on the same
 * captures.
 *
 * <p>Exit code 0 if every row keeps its bound, 1 if not, 2 for options that cannot be used.
 */
@Command(
    name = "switch",
    description = {
      "Measure the emulated switch on one core: packets, entries written and read; and bmv2's"
          + " simple_switch_grpc, where it is on PATH, on the same captures.",
      "Wants a machine that does nothing else."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class SwitchBenchCommand implements Callable<Integer> {
  private static final double PACKETS_PER_SECOND = 1_000_000;
  private static final double TIMES_BMV2 = 20;

  private static final int MAX_SUBSCRIBERS = (1 << 20) - 1;
  private static final int MAX_PACKETS = 100_000_000;
  private static final int PIPELINE_ROUNDS = 15;

  private static final double NANOS_PER_SECOND = 1e9;
  private static final int BMV2_ENTRIES_PER_SECOND = 3_000;

  @Option(
      names = "--subscribers",
      paramLabel = "N",
      defaultValue = "100000",
      description = "Number of subscribers, 1 to 1048575. Default: ${DEFAULT-VALUE}.")
  private String subscribers;

  @Option(
      names = "--packets",
      paramLabel = "N",
      defaultValue = "400000",
      description = "Packets in the captures, 1000 to 100000000. Default: ${DEFAULT-VALUE}.")
  private String packets;

  @Option(names = "--without-bmv2", description = "Leave bmv2 out even if it is on PATH.")
  private boolean withoutBmv2;

  @Mixin private ReportOptions output;

  @Override
  public Integer call() throws IOException, InterruptedException {
    int count = (int) OptionValues.wholeNumber("--subscribers", subscribers, 1, MAX_SUBSCRIBERS);
    int frames = (int) OptionValues.wholeNumber("--packets", packets, 1_000, MAX_PACKETS);
    ReportOptions.Output files = output.checked();
    List<String> skipped = new ArrayList<>();
    RunReport result =
        new RunReport("bench-switch", 1, run(count, frames, Progress.on(files.out()), skipped));
    return files.show(
        result,
        skipped.stream().map(line -> "skipped: " + line).toList(),
        () -> page(result, skipped));
  }

  /** The rows, and those that bmv2 has too as a chart. */
  private static HtmlPage page(RunReport result, List<String> skipped) {
    List<BarChart.Pair> pairs =
        result.rows().stream()
            .filter(row -> row.baseline() != null && row.measured() != null)
            .map(
                row ->
                    new BarChart.Pair(
                        row.name(), row.baseline(), row.measured(), Double.NaN, Double.NaN))
            .toList();
    HtmlPage page =
        RunPage.page(
            "The emulated switch on one core",
            result,
            skipped.stream().map(line -> "Skipped: " + line + ".").toList());
    return pairs.isEmpty()
        ? page
        : page.chart(
            BarChart.draw(
                "packets a second, bmv2 and Sluice",
                "packets/s",
                "bmv2",
                "sluice",
                Figures::number,
                pairs));
  }

  private List<Row> run(int count, int frames, Progress progress, List<String> skipped)
      throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    try (TemporaryDirectory folder = new TemporaryDirectory("sluice-bench-switch")) {
      SwitchBenchSetup.writeCaptures(folder.path(), frames, count, 1);
      progress.say("captures written");
      if (Executables.onPath("taskset").isEmpty()) {
        skipped.add("keeping the switches to one core: taskset is not on PATH");
      }
      PipelineProcess.Round round = pipeline(folder.path(), count);
      progress.say("captures switched");
      double perSecond = round.received() / (round.wallNanos() / NANOS_PER_SECOND);
      double perCpuSecond = round.received() / (round.cpuNanos() / NANOS_PER_SECOND);
      Optional<Path> other = bmv2(skipped);
      Optional<Bmv2Process.Result> bmv2 = Optional.empty();
      if (other.isPresent()) {
        bmv2 = Optional.of(bmv2(other.get(), folder.path(), count, frames, progress));
      }
      rows.add(
          Row.atLeast(
              "pipeline.packetsPerSecond",
              "1/s",
              bmv2.map(Bmv2Process.Result::perSecond).orElse(null),
              perSecond,
              PACKETS_PER_SECOND));
      rows.add(
          Row.plain(
              "pipeline.packetsPerCpuSecond",
              "1/s",
              bmv2.map(Bmv2Process.Result::perCpuSecond).orElse(null),
              perCpuSecond));
      rows.add(
          Row.atMost(
              "pipeline.lostPackets", "1", null, round.received() - (double) round.sent(), 0));
      rows.add(
          Row.plain(
              "pipeline.allocatedBytesPerPacket",
              "B",
              null,
              round.allocatedBytes() / (double) round.received()));
      if (bmv2.isPresent()) {
        rows.add(
            Row.atLeast(
                "pipeline.timesBmv2", "1", null, perSecond / bmv2.get().perSecond(), TIMES_BMV2));
        rows.add(
            Row.plain(
                "pipeline.timesBmv2PerCpuSecond",
                "1",
                null,
                perCpuSecond / bmv2.get().perCpuSecond()));
      }
    }
    rows.addAll(EntryBench.run(count));
    progress.say("entries written and read");
    return rows;
  }

  private static PipelineProcess.Round pipeline(Path folder, int count)
      throws IOException, InterruptedException {
    List<PipelineProcess.Round> rounds =
        RoundsProcess.run(
            "switches the captures",
            CpuAffinity.pinned(
                CpuAffinity.java(
                    PipelineProcess.class,
                    folder.toString(),
                    Integer.toString(count),
                    Integer.toString(PIPELINE_ROUNDS))),
            PIPELINE_ROUNDS,
            PipelineProcess.Round::parse);
    return RoundsProcess.median(rounds, Comparator.comparingLong(PipelineProcess.Round::wallNanos));
  }

  /** bmv2, if it is wanted and installed. */
  private Optional<Path> bmv2(List<String> skipped) {
    Optional<Path> executable = Executables.onPath("simple_switch_grpc");
    if (withoutBmv2 || executable.isEmpty()) {
      skipped.add(
          "the comparison with bmv2: "
              + (withoutBmv2 ? "--without-bmv2" : "simple_switch_grpc is not on PATH"));
      return Optional.empty();
    }
    return executable;
  }

  private static Bmv2Process.Result bmv2(
      Path executable, Path folder, int count, int frames, Progress progress)
      throws IOException, InterruptedException {
    int setup = 30 + count / BMV2_ENTRIES_PER_SECOND;
    Bmv2Process.Result result = Bmv2Process.run(executable, folder, frames, count, setup);
    progress.say(
        String.format(
            Locale.ROOT,
            "bmv2 sent %d of %d packets, %.0f a second",
            result.sent(),
            frames,
            result.perSecond()));
    return result;
  }
}
