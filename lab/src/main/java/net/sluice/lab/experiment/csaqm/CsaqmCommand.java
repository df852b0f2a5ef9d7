package net.sluice.lab.experiment.csaqm;

import java.util.concurrent.Callable;
import net.sluice.cli.OptionValues;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.lab.experiment.ExperimentRun;
import net.sluice.lab.report.ReportOptions;
import net.sluice.standalone.network.RandomBits;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code sluice experiment csaqm}: the static scenarios of paper 000.
 *
 * <p>Exit code 0 if every row keeps its bound, 1 if not, 2 for options that cannot be used.
 */
@Command(
    name = CsaqmExperiment.NAME,
    description = {
      "The scenarios of the CSAQM marker's evaluation: 10,000, 35,000 and 195,000 subscribers,"
          + " and TCP flows beside 10,000.",
      "All cores work; how long it takes is told at the start. With --quick it takes seconds."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class CsaqmCommand implements Callable<Integer> {
  @Mixin private ReportOptions output;

  @Option(
      names = "--quick",
      description =
          "A hundredth of the subscribers on a hundredth of the line: seconds instead of minutes,"
              + " the same shares.")
  private boolean quick;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of everything random. Default: ${DEFAULT-VALUE}.")
  private String seed;

  @Option(
      names = "--random-bits",
      paramLabel = "BITS",
      defaultValue = "8",
      converter = RandomBits.class,
      description =
          "Random bits of the marker: 8, the paper's, or 16, the controller's."
              + " Default: ${DEFAULT-VALUE}.")
  private RandomRates randomRates;

  @Override
  public Integer call() throws Exception {
    long seedValue = OptionValues.wholeNumber("--seed", seed, Long.MIN_VALUE, Long.MAX_VALUE);
    return ExperimentRun.of(
        new CsaqmExperiment(quick, randomRates, seedValue),
        output.checked("experiment-" + CsaqmExperiment.NAME + ".html"));
  }
}
