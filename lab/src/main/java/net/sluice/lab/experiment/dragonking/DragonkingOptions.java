package net.sluice.lab.experiment.dragonking;

import java.util.List;
import net.sluice.cli.OptionException;
import net.sluice.cli.OptionValues;
import net.sluice.lab.experiment.ExperimentKind;
import net.sluice.lab.experiment.GivenSettings;
import net.sluice.lab.experiment.Setting;

/**
 * Options of the experiment.
 *
 * @param oneCase the case that runs alone; null for the paper's evaluation
 * @param quick whether a hundredth of the limits runs
 * @param seed of everything random
 */
public record DragonkingOptions(Load oneCase, boolean quick, long seed) {
  private static final String[] ONE_CASE = {"--aggregate", "--flow-rate", "--packet", "--burst"};

  /** The experiment as the command line has it. */
  public static final ExperimentKind KIND =
      new ExperimentKind(
          DragonkingExperiment.NAME,
          List.of(
              "The evaluation of DragonKing: limits shaped in the switch, beside models of meters, RegMeter"
                  + " and SwRL.",
              "With --aggregate, --flow-rate, --packet or --burst one case alone; what is not given of them"
                  + " is 10G, 60k, 1500, 100.",
              ExperimentKind.TIME),
          List.of(
              Setting.of(
                  "--aggregate",
                  "RATE",
                  "Rate of all limits of the case together, which is also offered on"
                      + " average."),
              Setting.of("--flow-rate", "RATE", "Rate of each limit of the case."),
              Setting.of("--packet", "BYTES", "Length of the case's frames."),
              Setting.of("--burst", "MICROS", "Time between the case's bursts, us."),
              Setting.seed("Seed of everything random."),
              Setting.quick(
                  "A hundredth of the limits, and so of the aggregate, with the same"
                      + " bursts.")),
          given -> {
            DragonkingOptions options = of(given);
            return progress -> new DragonkingExperiment(options);
          });

  private static final String LEFT_OUT =
      " Quick run: a hundredth of the limits of 60 kbit/s, and bursts for a fifth of the time.";

  private static final long LEAST_LIMIT_BPS = 60_000;
  private static final long LEAST_AGGREGATE_BPS = 1_000_000;
  private static final String AGGREGATE = "10G";
  private static final String FLOW_RATE = "60k";
  private static final String PACKET_BYTES = "1500";
  private static final String BURST_MICROS = "100";
  private static final int LEAST_PACKET_BYTES = 64;
  private static final int MOST_PACKET_BYTES = 1_500;
  private static final int MOST_BURST_MICROS = 10_000;
  private static final int NANOS_PER_MICRO = 1_000;

  /**
   * Reads the options.
   *
   * @throws OptionException for the first that cannot be used
   */
  static DragonkingOptions of(GivenSettings given) {
    long seed = given.seed(0);
    if (!given.any(ONE_CASE)) {
      return new DragonkingOptions(null, given.quick(), seed);
    }
    if (given.quick()) {
      throw new OptionException(
          "--quick", "given", "without --aggregate, --flow-rate, --packet and --burst");
    }
    long aggregateBps =
        OptionValues.rate(
            "--aggregate",
            given.text("--aggregate", AGGREGATE),
            LEAST_AGGREGATE_BPS,
            Load.LINE_BPS);
    long limitBps =
        OptionValues.rate(
            "--flow-rate", given.text("--flow-rate", FLOW_RATE), LEAST_LIMIT_BPS, aggregateBps);
    int packetBytes =
        (int)
            OptionValues.wholeNumber(
                "--packet",
                given.text("--packet", PACKET_BYTES),
                LEAST_PACKET_BYTES,
                MOST_PACKET_BYTES);
    long burstMicros =
        OptionValues.wholeNumber(
            "--burst", given.text("--burst", BURST_MICROS), 1, MOST_BURST_MICROS);
    return new DragonkingOptions(
        Load.of(aggregateBps, limitBps, packetBytes, burstMicros * NANOS_PER_MICRO), false, seed);
  }

  /** One paragraph: what ran, and what a quick run leaves out. */
  String scope() {
    return "The compiled program on the emulated switch in virtual time, with its loops every 5 us."
        + " Seed "
        + seed()
        + "."
        + (quick() ? LEFT_OUT : "");
  }
}
