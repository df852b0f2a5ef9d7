package net.sluice.lab.experiment.dragonking;

import java.util.concurrent.Callable;
import net.sluice.lab.experiment.ExperimentRun;
import net.sluice.lab.report.ReportOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code sluice experiment dragonking}: the evaluation of paper 004.
 *
 * <p>Exit code 0 if every row keeps its bound, 1 if not, 2 for options that cannot be used.
 */
@Command(
    name = DragonkingExperiment.NAME,
    description = {
      "The evaluation of DragonKing: limits shaped in the switch, beside models of meters, RegMeter"
          + " and SwRL.",
      "With --aggregate, --flow-rate, --packet or --burst one case alone; what is not given of them"
          + " is 10G, 60k, 1500, 100.",
      "All cores work; how long it takes is told at the start. With --quick it takes less."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class DragonkingCommand implements Callable<Integer> {
  @Mixin private ReportOptions output;

  @Option(
      names = "--aggregate",
      paramLabel = "RATE",
      description = "Rate of all limits of the case together, which is also offered on average.")
  private String aggregate;

  @Option(
      names = "--flow-rate",
      paramLabel = "RATE",
      description = "Rate of each limit of the case.")
  private String flowRate;

  @Option(names = "--packet", paramLabel = "BYTES", description = "Length of the case's frames.")
  private String packetBytes;

  @Option(
      names = "--burst",
      paramLabel = "MICROS",
      description = "Time between the case's bursts, us.")
  private String burstMicros;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of everything random. Default: ${DEFAULT-VALUE}.")
  private String seed;

  @Option(
      names = "--quick",
      description = "A hundredth of the limits, and so of the aggregate, with the same bursts.")
  private boolean quick;

  @Override
  public Integer call() throws Exception {
    DragonkingOptions options =
        DragonkingOptions.parse(
            new DragonkingOptions.Raw(aggregate, flowRate, packetBytes, burstMicros, seed, quick));
    return ExperimentRun.of(
        new DragonkingExperiment(options),
        output.checked("experiment-" + DragonkingExperiment.NAME + ".html"));
  }
}
