package net.sluice.agent.loop;

import java.util.OptionalLong;

/** The front pipe's window by virtual start times: paper 004, section III-D, equations 2 to 6. */
final class FrontWindow {
  /** A pipe that is asked for more than it can do has an endless delay: W_0 stops here. */
  static final double MOST_USED = 0.999;

  private FrontWindow() {}

  /**
   * W_0 of equation 2, nanoseconds: alpha rho / (1 - rho), with rho = packets in over packets out.
   */
  static double frontDelayNanos(double alphaNanos, long packetsIn, long packetsOut) {
    double used =
        packetsIn == 0 ? 0 : Math.min(MOST_USED, (double) packetsIn / Math.max(1, packetsOut));
    return alphaNanos * used / (1 - used);
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
