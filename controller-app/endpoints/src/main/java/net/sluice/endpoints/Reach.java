package net.sluice.endpoints;

import java.net.InetSocketAddress;

/** The addresses that the sessions of a switch and of its FPGAs may connect to. */
public sealed interface Reach {
  /** All that its configuration names: the operator who started the controller wrote it. */
  record Anything() implements Reach {}

  /** Those that its configuration names and the rule allows: a client of the API wrote it. */
  record Within(Rule rule) implements Reach {}

  /**
   * Nothing at all.
   *
   * @param reason why, for people
   */
  record Nothing(String reason) implements Reach {}

  /** Says which addresses may be connected to. Thread-safe. */
  interface Rule {
    /**
     * Asked of each address before it is connected to.
     *
     * @param host the name or address that the configuration has
     * @param connected what a name has been resolved to
     */
    boolean allows(String host, InetSocketAddress connected);

    /** The allowed addresses as a noun phrase. */
    String allowed();
  }
}
