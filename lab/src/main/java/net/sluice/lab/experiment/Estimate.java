package net.sluice.lab.experiment;

import java.util.Arrays;

/**
 * How long cases take that run side by side, each on one core: their work is known beforehand, and
 * the pace is that of the work done so far. Not thread-safe.
 */
final class Estimate {
  private final double[] left;
  private final double total;
  private final double[] freeAt;
  private double workSeen;
  private double secondsSeen;

  /**
   * An estimate of cases that have not begun.
   *
   * @param cores cases that run at a time, at least 1
   * @param works the cases' work in the order they begin in, in any one unit, each at least 0
   */
  Estimate(int cores, double[] works) {
    left = works.clone();
    total = Arrays.stream(works).sum();
    freeAt = new double[cores];
  }

  /** Counts work that one core did, of no case. */
  void sample(double work, double seconds) {
    workSeen += work;
    secondsSeen += seconds;
  }

  /**
   * Counts work of a case.
   *
   * @param seconds that one core took for it
   */
  void done(int which, double work, double seconds) {
    double counted = Math.min(left[which], work);
    left[which] -= counted;
    sample(counted, seconds);
  }

  /** Work of all cases. */
  double totalWork() {
    return total;
  }

  /** Part of all work that is done, 0..1. */
  double part() {
    return total == 0 ? 1 : 1 - Arrays.stream(left).sum() / total;
  }

  /**
   * Seconds until the last case ends if each begins as soon as a core is free; NaN before any work
   * was seen.
   */
  double secondsLeft() {
    Arrays.fill(freeAt, 0);
    for (double work : left) {
      int first = 0;
      for (int core = 1; core < freeAt.length; core++) {
        if (freeAt[core] < freeAt[first]) {
          first = core;
        }
      }
      freeAt[first] += work;
    }
    double longest = Arrays.stream(freeAt).max().orElse(0);
    return longest == 0 ? 0 : workSeen == 0 ? Double.NaN : longest * secondsSeen / workSeen;
  }
}
