package net.sluice.lab.demo;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.model.Enforcement;

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
 * @param tcp TCP instead of constant rate for the last group; empty for constant rates only
 * @param enforcement what limits ask to be enforced by; empty to leave that to the controller
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
    long seed,
    Optional<TcpSpec> tcp,
    Optional<Enforcement> enforcement) {
  /**
   * One TCP flow, CUBIC and unlimited, to each subscriber of the last group; what the group offers
   * then is only what its prediction takes for its demand.
   *
   * @param rttNanos round-trip time without queues, nanoseconds
   * @param ecn whether the flows negotiate ECN
   */
  public record TcpSpec(long rttNanos, boolean ecn) {}

  public RunSpec {
    groups = List.copyOf(groups);
    policies = Map.copyOf(policies);
  }

  /**
   * A run of constant rates through one switch, whose port towards the subscribers is the
   * bottleneck.
   */
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
        seed,
        Optional.empty(),
        Optional.empty());
  }

  /** The same run with its last group's subscribers sent TCP. */
  public RunSpec withTcp(TcpSpec flows) {
    return new RunSpec(
        groups,
        policies,
        network,
        overheadBytes,
        packetBytes,
        maxRateBps,
        randomRates,
        seconds,
        withV6,
        seed,
        Optional.of(flows),
        enforcement);
  }
}
