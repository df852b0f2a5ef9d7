package net.sluice.northbound.webhooks;

import java.net.InetSocketAddress;

/** Where events may be sent. Looks no name up. */
public interface Destinations {
  /**
   * Whether a webhook may name a host: whether that is allowed itself or, of a name, may lead to an
   * address that is.
   *
   * @param host name or address, without brackets
   */
  boolean allowsDeclared(String host, int port);

  /** Whether a connection may be made to an address that a host has led to. */
  boolean allows(String host, InetSocketAddress at);

  /** The allowed destinations, for people. */
  String allowed();
}
