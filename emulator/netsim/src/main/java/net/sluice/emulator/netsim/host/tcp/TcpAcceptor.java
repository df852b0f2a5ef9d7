package net.sluice.emulator.netsim.host.tcp;

import net.sluice.emulator.netsim.host.IpAddress;

/** Accepts or refuses a connection that another host opens to a listening port. */
@FunctionalInterface
public interface TcpAcceptor {

  /**
   * A SYN has come in.
   *
   * @return the application for the new connection
   */
  TcpHandler accept(IpAddress remoteAddress, int remotePort);
}
