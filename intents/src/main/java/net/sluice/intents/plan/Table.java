package net.sluice.intents.plan;

/** The switch's tables in domain words; IPv4 and IPv6 are tables of their own. */
public enum Table {
  /** Subscribers by IPv4 prefix. */
  IPV4_PREFIX,
  /** Subscribers by IPv6 prefix. */
  IPV6_PREFIX,
  /** Subscribers by port and VLAN tags. */
  VLAN,
  /** VLAN tags pushed on a subscriber's packets. */
  ENCAPSULATION,
  /** Packet value by policy and rate bin. */
  POLICY_VALUE,
  /** Rate bin by measured rate. */
  RATE_BIN,
  /** Bins taken off for a random number. */
  RANDOM_RATE,
  /** What a port is connected to. */
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
  EGRESS_PORT
}
