package net.sluice.intents.profile;

/** The treatment of packets that enter an access port and belong to no subscriber. */
public enum UnknownTraffic {
  /** They are dropped, and counted. */
  DROP,
  /** They are forwarded as worth nothing: any congestion drops them first. */
  FORWARD
}
