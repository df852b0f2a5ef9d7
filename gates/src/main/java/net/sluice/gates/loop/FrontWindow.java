package net.sluice.gates.loop;

import java.util.OptionalLong;

/** The front pipe's window by virtual start times: paper 004, section III-D, equations 2 to 6. */
final class FrontWindow {
  /** A pipe that is asked for more than it can do has an endless delay: W_0 stops here. */
  static final double MOST_USED = 0.999;

  private FrontWindow() {}

  /**
   * W_0 of equation 2, nanoseconds: alpha rho / (1 - rho). The paper has rho = lambda s: packets
   * that enter the pipe in a time, times how long each takes, which is the part of its capacity
   * that it uses.
   *
   * @param used rho, 0..1
   */
  static double frontDelayNanos(double alphaNanos, double used) {
    double rho = Math.min(MOST_USED, used);
    return alphaNanos * rho / (1 - rho);
  }

  /** d of equations 3 and 4, nanoseconds: how late the most urgent packet behind would be. */
  static double backDelayNanos(long nowNanos, long slideNanos, OptionalLong leastVstNanos) {
    return leastVstNanos.isEmpty()
        ? 0
        : Math.max(0, nowNanos + slideNanos - leastVstNanos.getAsLong());
  }

  /** T_0' of equation 6, nanoseconds, before it is bounded. */
  static double nextNanos(double frontNanos, double betaNanos, double step, double deadBandNanos) {
    return Math.abs(betaNanos) > deadBandNanos ? frontNanos + step * betaNanos : frontNanos;
  }
}
