package net.sluice.gates.loop;

/** Bandwidth-aware redistribution: Algorithm 1 of paper 004, section III-C. */
final class Redistribution {
  private Redistribution() {}

  /**
   * Lines 2 to 4: whether a pipe's use is off the mean of all by more than the bound.
   *
   * @param used part of its capacity that each pipe uses, 0..1
   * @param varianceBound delta_v
   */
  static boolean needed(double[] used, double varianceBound) {
    double mean = 0;
    for (double each : used) {
      mean += each / used.length;
    }
    boolean needed = false;
    for (double each : used) {
      needed |= (each - mean) * (each - mean) > varianceBound;
    }
    return needed;
  }

  /**
   * Equation 1: the time that each pipe gets, in proportion to what it has free. If none has
   * anything free all get the same.
   *
   * @param spanNanos T
   * @param used part of its capacity that each pipe uses, 0..1
   */
  static long[] widths(long spanNanos, double[] used) {
    double free = 0;
    for (double each : used) {
      free += 1 - each;
    }
    long[] widths = new long[used.length];
    for (int i = 0; i < widths.length; i++) {
      widths[i] =
          Math.round(
              free == 0 ? (double) spanNanos / used.length : spanNanos * (1 - used[i]) / free);
    }
    return widths;
  }
}
