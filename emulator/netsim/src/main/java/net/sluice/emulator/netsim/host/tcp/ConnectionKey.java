package net.sluice.emulator.netsim.host.tcp;

import net.sluice.emulator.netsim.host.IpAddress;
import net.sluice.emulator.netsim.host.IpPacket;

/**
 * The four values that tell a host's connections apart. Those in a map never change; one that is
 * not in any is refilled for each lookup, so that finding a packet's connection allocates nothing.
 */
final class ConnectionKey {

  private boolean ipv6;
  private long localHigh;
  private long localLow;
  private long remoteHigh;
  private long remoteLow;
  private int ports;

  ConnectionKey() {}

  ConnectionKey(IpAddress local, int localPort, IpAddress remote, int remotePort) {
    this.ipv6 = local.ipv6();
    this.localHigh = local.high();
    this.localLow = local.low();
    this.remoteHigh = remote.high();
    this.remoteLow = remote.low();
    this.ports = localPort << 16 | remotePort;
  }

  /** Becomes the key of the connection that a received segment is for. */
  void set(IpPacket packet, TcpSegment segment) {
    ipv6 = packet.ipv6();
    localHigh = packet.destinationHigh();
    localLow = packet.destinationLow();
    remoteHigh = packet.sourceHigh();
    remoteLow = packet.sourceLow();
    ports = segment.destinationPort << 16 | segment.sourcePort;
  }

  int localPort() {
    return ports >>> 16;
  }

  int remotePort() {
    return ports & 0xffff;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof ConnectionKey o)) {
      return false;
    }
    return ports == o.ports
        && remoteLow == o.remoteLow
        && localLow == o.localLow
        && remoteHigh == o.remoteHigh
        && localHigh == o.localHigh
        && ipv6 == o.ipv6;
  }

  @Override
  public int hashCode() {
    long hash = (localHigh * 31 + localLow) * 31 + remoteHigh;
    return Long.hashCode((hash * 31 + remoteLow) * 0x9E3779B97F4A7C15L + ports);
  }

  @Override
  public String toString() {
    return "%s port %s to %s port %s"
        .formatted(
            new IpAddress(ipv6, localHigh, localLow),
            localPort(),
            new IpAddress(ipv6, remoteHigh, remoteLow),
            remotePort());
  }
}
