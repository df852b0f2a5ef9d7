package net.sluice.lab.experiment.fsam;

import java.util.List;
import java.util.concurrent.Callable;
import net.sluice.lab.experiment.ExperimentRun;
import net.sluice.lab.report.ReportOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code sluice experiment fsam}: the evaluation of paper 003.
 *
 * <p>Exit code 0 if every row keeps its bound, 1 if not, 2 for options that cannot be used.
 */
@Command(
    name = FsamExperiment.NAME,
    description = {
      "The evaluation of PAM and F-SAM: how an aggregate's flows share its committed rate, and what"
          + " they get of a bottleneck with RIO, beside a token bucket and TSW2CM.",
      "With --cir, --burst, --source, --marker or --seconds one case alone, whose rows are case.*;"
          + " what is not given is 500k, 100000, tcp, tcp and udp:2M, f-sam, 40.",
      "All cores work; how long it takes is told at the start. With --quick it takes less."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class FsamCommand implements Callable<Integer> {
  @Mixin private ReportOptions output;

  @Option(names = "--cir", paramLabel = "RATE", description = "Committed rate of the case.")
  private String cir;

  @Option(names = "--burst", paramLabel = "BITS", description = "Its token bucket.")
  private String burst;

  @Option(
      names = "--source",
      paramLabel = "tcp|udp:RATE",
      description = "A source of the case; repeatable.")
  private List<String> sources;

  @Option(
      names = "--marker",
      paramLabel = "NAME",
      description = "Its marker: token-bucket, tsw2cm, pam or f-sam.")
  private String marker;

  @Option(names = "--seconds", paramLabel = "S", description = "Its virtual seconds.")
  private String seconds;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Seed of everything random; without a case, of the first of five runs."
              + " Default: ${DEFAULT-VALUE}.")
  private String seed;

  @Option(
      names = "--quick",
      description = "One run instead of five, of two instead of four numbers of flows.")
  private boolean quick;

  @Override
  public Integer call() throws Exception {
    FsamOptions options =
        FsamOptions.parse(new FsamOptions.Raw(cir, burst, sources, marker, seconds, seed, quick));
    return ExperimentRun.of(
        new FsamExperiment(options), output.checked("experiment-" + FsamExperiment.NAME + ".html"));
  }
}
