package net.sluice.emulator.netsim.host;

/** Receiver of a {@link UdpSocket}'s datagrams. */
@FunctionalInterface
public interface UdpReceiver {

  /** Counts on the socket's own statistics and does nothing else. */
  UdpReceiver NONE = (socket, packet, sourcePort, offset, length, nowNanos) -> {};

  /**
   * A datagram with a right checksum has come in.
   *
   * @param socket where
   * @param packet its IP packet: addresses, ECN bits, bytes; valid until this method returns
   * @param sourcePort 0..65535
   * @param offset index of the first byte of data in the packet's buffer
   * @param length bytes of data
   * @param nowNanos virtual time, nanoseconds
   */
  void onDatagram(
      UdpSocket socket, IpPacket packet, int sourcePort, int offset, int length, long nowNanos);
}
