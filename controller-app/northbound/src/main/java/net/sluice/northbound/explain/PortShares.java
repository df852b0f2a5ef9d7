package net.sluice.northbound.explain;

import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The subscribers that leave by a switch port in one direction; rates in bit/s.
 *
 * @param at when they were summed up
 * @param rateBps the port's speed
 * @param offeredBps what they offered
 * @param gotBps what they got
 * @param subscribers how many there are
 * @param congested whether more is offered than the port carries
 * @param policies those of each policy, the largest part first
 * @param heldBack those that the port holds back most, the largest loss first
 */
public record PortShares(
    Instant at,
    double rateBps,
    double offeredBps,
    double gotBps,
    int subscribers,
    boolean congested,
    List<Part> policies,
    List<HeldBack> heldBack) {
  public PortShares {
    policies = List.copyOf(policies);
    heldBack = List.copyOf(heldBack);
  }

  /**
   * The subscribers of a policy.
   *
   * @param thresholdBps the rate from which packets of one of them are dropped; empty if all fits
   */
  public record Part(
      String policy,
      int subscribers,
      double offeredBps,
      double gotBps,
      OptionalDouble thresholdBps) {}

  /**
   * A subscriber that the port holds back.
   *
   * @param entitledBps its share; empty if it is not known
   */
  public record HeldBack(
      String id, String policy, double offeredBps, double gotBps, OptionalDouble entitledBps) {}
}
