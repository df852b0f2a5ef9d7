package net.sluice.intents.share;

import java.util.Arrays;
import java.util.List;
import net.sluice.intents.model.policy.ThroughputValueFunction;

/**
 * The many who share one link. What they offer is sorted by function, so that one look at a value
 * costs a search in each function's and not a step for each of them.
 */
final class Crowd implements WaterFilling.Offering {
  private final List<ThroughputValueFunction> functions;
  private final double[][] demandsBps;

  /** Sums of what the first subscribers of each function offer. */
  private final double[][] sumsBps;

  /**
   * A crowd.
   *
   * @param demandsBps what each offers, finite, by function; they are sorted here
   */
  Crowd(List<ThroughputValueFunction> functions, double[][] demandsBps) {
    this.functions = functions;
    this.demandsBps = demandsBps;
    sumsBps = new double[demandsBps.length][];
    for (int f = 0; f < demandsBps.length; f++) {
      double[] of = demandsBps[f];
      Arrays.sort(of);
      sumsBps[f] = new double[of.length + 1];
      for (int i = 0; i < of.length; i++) {
        sumsBps[f][i + 1] = sumsBps[f][i] + of[i];
      }
    }
  }

  @Override
  public double demandBps() {
    double totalBps = 0;
    for (double[] sums : sumsBps) {
      totalBps += sums[sums.length - 1];
    }
    return totalBps;
  }

  @Override
  public double atValueBps(double value) {
    double totalBps = 0;
    for (int f = 0; f < demandsBps.length; f++) {
      if (demandsBps[f].length > 0) {
        totalBps += atMostBps(f, functions.get(f).rateAtBps(value));
      }
    }
    return totalBps;
  }

  private double atMostBps(int function, double rateBps) {
    double[] of = demandsBps[function];
    int found = Arrays.binarySearch(of, rateBps);
    int below = found < 0 ? -found - 1 : found;
    return sumsBps[function][below] + (of.length - below) * rateBps;
  }
}
