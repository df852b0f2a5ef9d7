package net.sluice.lab.experiment.fsam;

import java.util.List;

/**
 * Measurements of a run.
 *
 * @param flows of each source, in order
 */
record FsamResult(List<Flow> flows) {
  FsamResult {
    flows = List.copyOf(flows);
  }

  /**
   * One source.
   *
   * @param in packets marked IN
   * @param out packets marked OUT
   * @param deliveredBps bits of its frames that arrived per second
   * @param transfers finished ones of a source of mice
   * @param transferBps their mean rate; NaN without any
   */
  record Flow(
      Source source, long in, long out, double deliveredBps, int transfers, double transferBps) {}

  /** Jain's index: the square of the sum over the number times the sum of the squares. */
  static double jain(double[] values) {
    double sum = 0;
    double squares = 0;
    for (double value : values) {
      sum += value;
      squares += value * value;
    }
    return squares == 0 ? 1 : sum * sum / (values.length * squares);
  }
}
