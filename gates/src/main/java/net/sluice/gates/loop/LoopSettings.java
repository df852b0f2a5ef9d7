package net.sluice.gates.loop;

/**
 * Constants of the loops.
 *
 * @param periodNanos T_b and T_slide: time between two steps, nanoseconds, at least 1
 * @param capacityBps B_cap: rate of a pipe, bit/s, at least 1
 * @param varianceBound delta_v: squared distance of a pipe's use from the mean of all at which the
 *     windows are divided anew, 0..1
 * @param delayNanos alpha: delay of the front pipe that is used by half, nanoseconds, at least 0
 * @param step delta: change of the front window by a nanosecond of beta; negative
 * @param deadBandNanos h: beta up to which the front window stays, nanoseconds, at least 0
 */
public record LoopSettings(
    long periodNanos,
    long capacityBps,
    double varianceBound,
    double delayNanos,
    double step,
    double deadBandNanos) {
  /**
   * Those of paper 004, sections III-C to V-F. It names no unit for alpha and h: alpha is taken as
   * milliseconds and h as microseconds, which are the units in which they are of the size of the
   * delays they are compared with. It does not tell delta_v: a tenth of the capacity off the mean.
   */
  public static final LoopSettings PAPER =
      new LoopSettings(5_000, 100_000_000_000L, 0.01, 0.001 * 1e6, -0.025, 40 * 1e3);

  public LoopSettings {
    check("periodNanos", periodNanos, periodNanos >= 1, "at least 1");
    check("capacityBps", capacityBps, capacityBps >= 1, "at least 1");
    check("varianceBound", varianceBound, varianceBound >= 0 && varianceBound <= 1, "0..1");
    check("delayNanos", delayNanos, delayNanos >= 0, "at least 0");
    check("step", step, step < 0 && step > -1, "between -1 and 0");
    check("deadBandNanos", deadBandNanos, deadBandNanos >= 0, "at least 0");
  }

  /** The same with other values of delta and h. */
  public LoopSettings with(double newStep, double newDeadBandNanos) {
    return new LoopSettings(
        periodNanos, capacityBps, varianceBound, delayNanos, newStep, newDeadBandNanos);
  }

  /** The same with another time between two steps. */
  public LoopSettings withPeriod(long newPeriodNanos) {
    return new LoopSettings(
        newPeriodNanos, capacityBps, varianceBound, delayNanos, step, deadBandNanos);
  }

  private static void check(String name, Number value, boolean allowed, String what) {
    if (!allowed) {
      throw new IllegalArgumentException(name + " is " + value + "; allowed: " + what);
    }
  }
}
