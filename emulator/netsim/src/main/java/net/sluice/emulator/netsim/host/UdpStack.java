package net.sluice.emulator.netsim.host;

import java.util.HashMap;
import java.util.Map;

/**
 * A host's UDP, RFC 768: sockets by local port. Datagrams with a wrong checksum, and those for a
 * port without a socket, are counted and dropped; there is no ICMP to tell the sender.
 */
public final class UdpStack implements IpProtocol {

  static final int PROTOCOL = 17;
  static final int HEADER_BYTES = 8;

  private static final int FIRST_EPHEMERAL = 49_152;
  private static final int MAX_PORT = 65_535;

  private final Host host;
  private final Map<Integer, UdpSocket> sockets = new HashMap<>();
  private int nextEphemeral = FIRST_EPHEMERAL;
  private long badDatagrams;
  private long unknownPort;

  UdpStack(Host host) {
    this.host = host;
  }

  /**
   * Opens a socket.
   *
   * @param port 1..65535, or 0 for any free one from 49152 up
   * @param receiver what to do with datagrams for the port
   * @throws IllegalStateException when the port is in use, or none is free
   */
  public UdpSocket bind(int port, UdpReceiver receiver) {
    if (port < 0 || port > MAX_PORT) {
      throw new IllegalArgumentException("port " + port + ": must be 0.." + MAX_PORT);
    }
    int bound = port == 0 ? ephemeral() : port;
    if (sockets.containsKey(bound)) {
      throw new IllegalStateException("UDP port " + bound + " of " + host + ": in use");
    }
    UdpSocket socket = new UdpSocket(this, host, bound, receiver);
    sockets.put(bound, socket);
    return socket;
  }

  /** Datagrams dropped as malformed or for their checksum. */
  public long badDatagrams() {
    return badDatagrams;
  }

  /** Datagrams for ports without a socket. */
  public long unknownPort() {
    return unknownPort;
  }

  @Override
  public void receive(IpPacket packet, long nowNanos) {
    byte[] bytes = packet.bytes();
    int at = packet.payloadOffset();
    if (packet.payloadLength() < HEADER_BYTES
        || read16(bytes, at + 4) < HEADER_BYTES
        || read16(bytes, at + 4) > packet.payloadLength()) {
      badDatagrams++;
      return;
    }
    // Bytes behind the datagram, which no host here sends, belong to neither it nor its checksum.
    packet.payloadLength = read16(bytes, at + 4);
    boolean unchecked = read16(bytes, at + 6) == 0;
    // RFC 8200 section 8.1: only over IPv4 may the checksum be left out.
    if (unchecked ? packet.ipv6() : !packet.payloadChecksumRight()) {
      badDatagrams++;
      return;
    }
    UdpSocket socket = sockets.get(read16(bytes, at + 2));
    if (socket == null) {
      unknownPort++;
      return;
    }
    socket.deliver(packet, read16(bytes, at), nowNanos);
  }

  void close(UdpSocket socket) {
    sockets.remove(socket.port(), socket);
  }

  private int ephemeral() {
    for (int tried = FIRST_EPHEMERAL; tried <= MAX_PORT; tried++) {
      int port = nextEphemeral;
      nextEphemeral = port == MAX_PORT ? FIRST_EPHEMERAL : port + 1;
      if (!sockets.containsKey(port)) {
        return port;
      }
    }
    throw new IllegalStateException("UDP ports of " + host + ": none is free");
  }

  private static int read16(byte[] bytes, int at) {
    return (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
  }
}
