package net.sluice.northbound.usage;

/** A thing whose traffic is measured. */
public sealed interface Measured {
  /** A subscriber. */
  record OfSubscriber(String id) implements Measured {}

  /**
   * All subscribers of an OLT tree.
   *
   * @param switchName of the only one, too
   */
  record OfTree(String switchName, int port, int tree) implements Measured {}

  /** All subscribers of a BNG port. */
  record OfPort(String switchName, int port) implements Measured {}

  /** All subscribers with a policy; of those with two it is the one of that direction. */
  record OfPolicy(String id) implements Measured {}
}
