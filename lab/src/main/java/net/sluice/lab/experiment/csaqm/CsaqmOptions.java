package net.sluice.lab.experiment.csaqm;

import java.util.List;
import net.sluice.cli.InvalidOption;
import net.sluice.cli.OptionException;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.lab.experiment.ExperimentKind;
import net.sluice.lab.experiment.GivenSettings;
import net.sluice.lab.experiment.Setting;
import net.sluice.standalone.network.RandomBits;

/** Options of the experiment. */
public final class CsaqmOptions {
  /** The experiment as the command line has it. */
  public static final ExperimentKind KIND =
      new ExperimentKind(
          CsaqmExperiment.NAME,
          List.of(
              "The scenarios of the CSAQM marker's evaluation: 10,000, 35,000 and 195,000 subscribers,"
                  + " and TCP flows beside 10,000.",
              "All cores work; how long it takes is told at the start. With --quick it takes seconds."),
          List.of(
              Setting.quick(
                  "A hundredth of the subscribers on a hundredth of the line: seconds"
                      + " instead of minutes, the same shares."),
              Setting.seed("Seed of everything random."),
              Setting.of(
                      "--random-bits",
                      "BITS",
                      "Random bits of the marker: 8, the paper's, or 16, the controller's.")
                  .usually("8")),
          given -> {
            CsaqmExperiment experiment = of(given);
            return progress -> experiment;
          });

  private CsaqmOptions() {}

  private static CsaqmExperiment of(GivenSettings given) {
    String bits = given.text("--random-bits");
    RandomRates rates;
    try {
      rates = new RandomBits().convert(bits);
    } catch (InvalidOption e) {
      throw new OptionException("--random-bits", bits, e.getMessage());
    }
    return new CsaqmExperiment(given.quick(), rates, given.seed(0));
  }
}
