package net.sluice.intents.plan;

import java.util.Locale;

/** The switch's tables in domain words; IPv4 and IPv6 are tables of their own. */
public enum Table {
  /** Subscribers by IPv4 prefix. */
  IPV4_PREFIX,
  /** Subscribers by IPv6 prefix. */
  IPV6_PREFIX,
  /** Subscribers by port, service VLAN and customer VLAN. */
  VLAN,
  /** VLAN tags pushed on a subscriber's packets. */
  ENCAPSULATION,
  /** Directions of subscribers whose packets another policy values than that of the subscriber. */
  DIRECTION_POLICY,
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
  SUBSCRIBER_METER,
  /** Meters of trees. */
  TREE_METER,
  /** Meters of BNG ports. */
  PORT_METER,
  /** Subscribers under a limit that the switch shapes, with the rate of their own limit. */
  SUBSCRIBER_LIMIT,
  /** Shaped limits of trees. */
  TREE_LIMIT,
  /** Shaped limits of BNG ports. */
  PORT_LIMIT,
  /** The loop ports by which packets that wait go round. */
  LOOP_PORT,
  /** Subscribers whose packets an aggregate's marker tells IN from OUT. */
  AGGREGATE,
  /** Weights of the flows of an aggregate. */
  FLOW_WEIGHT,
  /** Queues before which RIO drops. */
  QUEUE_RIO,
  /** Classes within a limit that the FPGA holds, by policy and codepoint. */
  TRAFFIC_CLASS,
  /** Subscribers by port and service VLAN, with any customer VLAN. */
  SERVICE_VLAN;

  private final String text = name().toLowerCase(Locale.ROOT).replace('_', '-');

  /** The table in profiles, messages and answers: {@code ipv4-prefix}. */
  public String text() {
    return text;
  }

  /** True if its entries limit rates. */
  public boolean isOfLimits() {
    return switch (this) {
      case SUBSCRIBER_METER, TREE_METER, PORT_METER, SUBSCRIBER_LIMIT, TREE_LIMIT, PORT_LIMIT ->
          true;
      default -> false;
    };
  }

  /** True if its entries tell whose a packet is. */
  public boolean classifies() {
    return switch (this) {
      case IPV4_PREFIX, IPV6_PREFIX, VLAN, SERVICE_VLAN -> true;
      default -> false;
    };
  }

  /** True if its entries are of one subscriber each. */
  public boolean isOfSubscribers() {
    return switch (this) {
      case IPV4_PREFIX,
          IPV6_PREFIX,
          VLAN,
          SERVICE_VLAN,
          ENCAPSULATION,
          DIRECTION_POLICY,
          SUBSCRIBER_METER,
          SUBSCRIBER_LIMIT,
          AGGREGATE,
          FLOW_WEIGHT ->
          true;
      default -> false;
    };
  }
}
