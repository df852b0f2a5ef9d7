package net.sluice.lab.demo;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import net.sluice.intents.marker.RandomRates;

/**
 * A run of subscribers' traffic through a switch with one bottleneck.
 *
 * @param groups the subscribers
 * @param policies by id; every group's policy is among them
 * @param bottleneckBps line rate of the port towards the subscribers, bit/s
 * @param overheadBytes what a frame takes on that line beyond its own bytes
 * @param packetBytes length of every frame
 * @param maxRateBps R_max of the marker, bit/s
 * @param randomRates what the marker's random numbers take off
 * @param seconds measured virtual seconds; empty to choose
 * @param withV6 whether some subscribers have IPv6
 * @param seed seed of everything random
 */
public record RunSpec(
    List<GroupSpec> groups,
    Map<String, PolicySpec> policies,
    long bottleneckBps,
    int overheadBytes,
    int packetBytes,
    long maxRateBps,
    RandomRates randomRates,
    OptionalDouble seconds,
    boolean withV6,
    long seed) {
  public RunSpec {
    groups = List.copyOf(groups);
    policies = Map.copyOf(policies);
  }

  /** Capacity of the bottleneck, frame bits per second. */
  public double capacityBps() {
    return Prediction.capacityBps(bottleneckBps, packetBytes, overheadBytes);
  }
}
