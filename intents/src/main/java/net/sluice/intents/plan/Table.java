package net.sluice.intents.plan;

import java.util.Locale;
import java.util.Set;

/** The switch's tables in domain words; IPv4 and IPv6 are tables of their own. */
public enum Table {
  /** Subscribers by IPv4 prefix. */
  IPV4_PREFIX(Of.SUBSCRIBERS, Of.CLASSIFICATION),
  /** Subscribers by IPv6 prefix. */
  IPV6_PREFIX(Of.SUBSCRIBERS, Of.CLASSIFICATION),
  /** Subscribers by port, service VLAN and customer VLAN. */
  VLAN(Of.SUBSCRIBERS, Of.CLASSIFICATION),
  /** VLAN tags pushed on a subscriber's packets. */
  ENCAPSULATION(Of.SUBSCRIBERS),
  /** Directions of subscribers whose packets another policy values than that of the subscriber. */
  DIRECTION_POLICY(Of.SUBSCRIBERS),
  /** Packet value by policy and rate bin. */
  POLICY_VALUE,
  /** Rate bin by measured rate. */
  RATE_BIN,
  /** Bins taken off for a random number. */
  RANDOM_RATE,
  /** The role of a port. */
  PORT_ROLE,
  /** Where the shaping sidecar of a direction is. */
  SIDECAR,
  /** IPv4 routes. */
  IPV4_ROUTE,
  /** IPv6 routes. */
  IPV6_ROUTE,
  /** Congestion-threshold control of an egress port. */
  CONGESTION_THRESHOLD,
  /** Delay management of an egress port's queues. */
  QUEUE_AQM,
  /** Where mirrored packets go: the switch's clone session of them, one entry at most. */
  MIRROR,
  /** Rewriting at an egress port. */
  EGRESS_PORT,
  /** Subscribers under a limit that meters enforce, with the meter of their own limit. */
  SUBSCRIBER_METER(Of.SUBSCRIBERS, Of.LIMITS),
  /** Meters of trees. */
  TREE_METER(Of.LIMITS),
  /** Meters of BNG ports. */
  PORT_METER(Of.LIMITS),
  /** Subscribers under a limit that the switch shapes, with the rate of their own limit. */
  SUBSCRIBER_LIMIT(Of.SUBSCRIBERS, Of.LIMITS),
  /** Shaped limits of trees. */
  TREE_LIMIT(Of.LIMITS),
  /** Shaped limits of BNG ports. */
  PORT_LIMIT(Of.LIMITS),
  /** The loop ports by which packets that wait go round. */
  LOOP_PORT,
  /** Subscribers whose packets an aggregate's marker tells IN from OUT. */
  AGGREGATE(Of.SUBSCRIBERS),
  /** Weights of the flows of an aggregate. */
  FLOW_WEIGHT(Of.SUBSCRIBERS),
  /** Queues before which RIO drops. */
  QUEUE_RIO,
  /** Classes within a limit that the FPGA holds, by policy and codepoint. */
  TRAFFIC_CLASS,
  /** Subscribers by port and service VLAN, with any customer VLAN. */
  SERVICE_VLAN(Of.SUBSCRIBERS, Of.CLASSIFICATION),
  /** How shaped limits keep delay low, by policy. */
  POLICY_DELAY,
  /** In what order the flows of a subscriber go, by policy. */
  POLICY_FLOWS,
  /** The ends of wires, whose frames leave by the other one. */
  WIRE,
  /** Policies of what enters a wire and belongs to no subscriber. */
  UNKNOWN_POLICY,
  /** Meters of what enters a wire and belongs to no subscriber. */
  UNKNOWN_METER,
  /** IPv4 addresses on the lines of ports: their own, and those of next hops. */
  NEIGHBOUR4,
  /** The same of IPv6. */
  NEIGHBOUR6,
  /** Addresses of next hops that are given by their IP addresses. */
  NEXT_HOP,
  /** Ports whose senders are told what becomes of packets that cannot be forwarded. */
  ERROR_REPORT;

  private enum Of {
    SUBSCRIBERS,
    CLASSIFICATION,
    LIMITS
  }

  private final String text = name().toLowerCase(Locale.ROOT).replace('_', '-');
  private final boolean isOfSubscribers;
  private final boolean classifies;
  private final boolean isOfLimits;

  Table(Of... of) {
    Set<Of> all = Set.of(of);
    isOfSubscribers = all.contains(Of.SUBSCRIBERS);
    classifies = all.contains(Of.CLASSIFICATION);
    isOfLimits = all.contains(Of.LIMITS);
  }

  /** The table in profiles, messages and answers: {@code ipv4-prefix}. */
  public String text() {
    return text;
  }

  /** True if its entries limit rates. */
  public boolean isOfLimits() {
    return isOfLimits;
  }

  /** True if its entries tell whose a packet is. */
  public boolean classifies() {
    return classifies;
  }

  /** True if its entries are of one subscriber each, who owns them; else the switch does. */
  public boolean isOfSubscribers() {
    return isOfSubscribers;
  }
}
