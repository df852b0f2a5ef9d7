package net.sluice.lab.demo;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import net.sluice.intents.marker.RandomRates;

/**
 * A run of subscribers' traffic through a network.
 *
 * @param groups the subscribers
 * @param policies by id; every group's policy is among them
 * @param network what it goes through; every group's switch is in it, with lines
 * @param overheadBytes what a frame takes on each line beyond its own bytes
 * @param packetBytes length of every frame at its source
 * @param maxRateBps R_max of the marker, bit/s
 * @param randomRates what the marker's random numbers take off
 * @param seconds measured virtual seconds; empty to choose
 * @param withV6 whether some subscribers have IPv6
 * @param seed seed of everything random
 */
public record RunSpec(
    List<GroupSpec> groups,
    Map<String, PolicySpec> policies,
    DemoNetwork network,
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

  /** A run through one switch, whose port towards the subscribers is the bottleneck. */
  public RunSpec(
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
    this(
        groups,
        policies,
        DemoNetwork.single(bottleneckBps),
        overheadBytes,
        packetBytes,
        maxRateBps,
        randomRates,
        seconds,
        withV6,
        seed);
  }
}
