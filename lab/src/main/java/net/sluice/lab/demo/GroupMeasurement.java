package net.sluice.lab.demo;

import java.util.OptionalDouble;

/**
 * A group's results in the measured time. Rates are frame bits per second of one subscriber.
 *
 * @param deliveredBps mean over the group
 * @param deliveredBpsMin least of the group
 * @param deliveredBpsMax most of the group
 * @param deviationBps standard deviation between the group's subscribers
 * @param worst the subscriber that got least, by its number in the group, from 0
 * @param sentPackets packets the sources sent
 * @param limiterLostPackets of those, packets the limiter did not pass on
 * @param lostPackets of those, all packets that did not arrive
 * @param queueDelayMicrosMean mean time in the bottleneck queue, and in the switch under a limit
 *     that it shapes; empty if no packet arrived
 * @param queueDelayMicrosP99 99th percentile of it
 */
public record GroupMeasurement(
    double deliveredBps,
    double deliveredBpsMin,
    double deliveredBpsMax,
    double deviationBps,
    int worst,
    long sentPackets,
    long limiterLostPackets,
    long lostPackets,
    OptionalDouble queueDelayMicrosMean,
    OptionalDouble queueDelayMicrosP99) {

  /** Share of all packets that did not arrive. */
  public double loss() {
    return sentPackets == 0 ? 0 : (double) lostPackets / sentPackets;
  }

  /** Of the packets the limiter passed on, the share that did not arrive. */
  public double lossBehindLimiter() {
    long passed = sentPackets - limiterLostPackets;
    return passed == 0 ? 0 : (double) (lostPackets - limiterLostPackets) / passed;
  }
}
