package net.sluice.lab.experiment.codelact;

import java.util.concurrent.Callable;
import net.sluice.lab.experiment.ExperimentRun;
import net.sluice.lab.report.ReportOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code sluice experiment codel-act}: the evaluation of paper 002.
 *
 * <p>Exit code 0 if every row keeps its bound, 1 if not, 2 for options that cannot be used.
 */
@Command(
    name = CodelActExperiment.NAME,
    description = {
      "The evaluation of CoDel-ACT: the delay of a bottleneck's queue under TCP flows, beside its"
          + " predecessor P4-CoDel, RFC 8289, a controller of PIE's kind and no AQM.",
      "With --flows, --rate or --rtt one case alone; what is not given of them is 10, 100M, 5-10.",
      "With --scenario values: Gold and Silver subscribers behind a line whose port drops by packet"
          + " value, whose queue CoDel-ACT manages, or both.",
      "All cores work; how long it takes is told at the start. With --quick it takes less."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class CodelActCommand implements Callable<Integer> {
  @Mixin private ReportOptions output;

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
      description = "Virtual seconds of each run. Default: 10, with --scenario values --quick 3.")
  private String seconds;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Seed of everything random; without a case, of the first of three runs."
              + " Default: ${DEFAULT-VALUE}.")
  private String seed;

  @Option(
      names = "--quick",
      description =
          "One run of each cell instead of three, with no other senders and congestion controls;"
              + " with --scenario values 3 virtual seconds instead of 10.")
  private boolean quick;

  @Override
  public Integer call() throws Exception {
    CodelActOptions options =
        CodelActOptions.parse(
            new CodelActOptions.Raw(
                scenario, flows, rate, rtt, senders, congestion, seconds, seed, quick));
    return ExperimentRun.of(
        options.values() ? new ValuesExperiment(options) : new CodelActExperiment(options),
        output.checked("experiment-" + CodelActExperiment.NAME + ".html"));
  }
}
