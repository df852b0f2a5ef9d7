package net.sluice.intents.verdict;

/**
 * The measured traffic of one subscriber in one direction over some time, in bit/s of frames.
 *
 * @param offeredBps what came and was known to be its
 * @param gotBps what left towards where it was to go
 * @param policedBps dropped by a meter of a limit
 * @param overflowedBps dropped under a limit that shapes, for want of room or because it would have
 *     waited too long
 * @param managedBps dropped by CoDel under such a limit
 * @param suspendedBps dropped because it was suspended
 * @param waitMillis the 95th percentile of the time that packets wait under such a limit, ms; not a
 *     number if that is not known
 */
public record TrafficLoad(
    double offeredBps,
    double gotBps,
    double policedBps,
    double overflowedBps,
    double managedBps,
    double suspendedBps,
    double waitMillis) {
  /** One that sent nothing. */
  public static final TrafficLoad NONE = new TrafficLoad(0, 0, 0, 0, 0, 0, Double.NaN);

  /** All that came, as if nothing held it back. */
  public static TrafficLoad passing(double bps) {
    return new TrafficLoad(bps, bps, 0, 0, 0, 0, Double.NaN);
  }

  /** Dropped under limits of the switch, bit/s. */
  public double limitedBps() {
    return policedBps + overflowedBps + managedBps;
  }

  /**
   * Dropped at a port, for its value or by the queue's AQM, or by an FPGA; not below 0 where more
   * left than came because less waits than before.
   */
  public double lostBps() {
    return Math.max(0, offeredBps - gotBps - limitedBps());
  }
}
