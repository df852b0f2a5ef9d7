package net.sluice.lab.experiment.fpga;

import java.util.Map;
import net.sluice.lab.report.PaperValues;

/** The numbers in paper 001's text, by row. */
final class FpgaPaper {
  /** Section IV.A: with one of the two memories. */
  static final double ONE_MEMORY_BPS = 70e9;

  /** Section III.B: 60 to 80 Gbit/s. */
  static final double ONE_MEMORY_SPREAD_BPS = 10e9;

  /** Section IV.A: measured with 2,048 queues. */
  private static final double SMALL_JITTER_MICROS = 1.2;

  /** Section IV.A: computed for 262,144 queues. */
  private static final double LARGE_JITTER_MICROS = 36.864;

  private static final double SMALL_ROUND_MICROS = 0.288;
  private static final int SMALL_QUEUES = 2_048;

  static final PaperValues VALUES =
      new PaperValues(
          Map.of(
              "jitter.line.2048",
              SMALL_JITTER_MICROS,
              "jitter.line.262144",
              LARGE_JITTER_MICROS,
              "lost.line.2048",
              0.0,
              "lost.line.262144",
              0.0));

  private FpgaPaper() {}

  /** Jitter at 99.9 Gbit/s, us. */
  static double jitter(CoreBuild build) {
    return build.queues() == SMALL_QUEUES ? SMALL_JITTER_MICROS : LARGE_JITTER_MICROS;
  }

  /** A round of the search, computed, us. */
  static double round(CoreBuild build) {
    return build.queues() == SMALL_QUEUES ? SMALL_ROUND_MICROS : LARGE_JITTER_MICROS;
  }
}
