package net.sluice.lab.experiment.dragonking;

import net.sluice.cli.OptionException;
import net.sluice.cli.OptionValues;

/**
 * Options of the experiment.
 *
 * @param oneCase the case that runs alone; null for the paper's evaluation
 * @param quick whether a hundredth of the limits runs
 * @param seed of everything random
 */
record DragonkingOptions(Load oneCase, boolean quick, long seed) {
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

  /** The command line's values; null for options not given. */
  record Raw(
      String aggregate,
      String flowRate,
      String packetBytes,
      String burstMicros,
      String seed,
      boolean quick) {
    private boolean oneCase() {
      return aggregate != null || flowRate != null || packetBytes != null || burstMicros != null;
    }
  }

  /**
   * Reads the options.
   *
   * @throws OptionException for the first that cannot be used
   */
  static DragonkingOptions parse(Raw raw) {
    long seed = OptionValues.wholeNumber("--seed", raw.seed(), Long.MIN_VALUE, Long.MAX_VALUE);
    if (!raw.oneCase()) {
      return new DragonkingOptions(null, raw.quick(), seed);
    }
    if (raw.quick()) {
      throw new OptionException(
          "--quick", "given", "without --aggregate, --flow-rate, --packet and --burst");
    }
    long aggregateBps =
        OptionValues.rate(
            "--aggregate", given(raw.aggregate(), AGGREGATE), LEAST_AGGREGATE_BPS, Load.LINE_BPS);
    long limitBps =
        OptionValues.rate(
            "--flow-rate", given(raw.flowRate(), FLOW_RATE), LEAST_LIMIT_BPS, aggregateBps);
    int packetBytes =
        (int)
            OptionValues.wholeNumber(
                "--packet",
                given(raw.packetBytes(), PACKET_BYTES),
                LEAST_PACKET_BYTES,
                MOST_PACKET_BYTES);
    long burstMicros =
        OptionValues.wholeNumber(
            "--burst", given(raw.burstMicros(), BURST_MICROS), 1, MOST_BURST_MICROS);
    return new DragonkingOptions(
        Load.of(aggregateBps, limitBps, packetBytes, burstMicros * NANOS_PER_MICRO), false, seed);
  }

  private static String given(String value, String otherwise) {
    return value == null ? otherwise : value;
  }
}
