package net.sluice.emulator.netsim.host;

import net.sluice.emulator.netsim.traffic.Ecn;
import net.sluice.emulator.switching.InternetChecksum;

/** A UDP port of a {@link Host}, from {@link UdpStack#bind}. */
public final class UdpSocket {

  private final UdpStack stack;
  private final Host host;
  private final int port;
  private final UdpReceiver receiver;
  private int trafficClass;
  private boolean closed;
  private long sentDatagrams;
  private long sentBytes;
  private long receivedDatagrams;
  private long receivedBytes;
  private long ceMarks;

  UdpSocket(UdpStack stack, Host host, int port, UdpReceiver receiver) {
    this.stack = stack;
    this.host = host;
    this.port = port;
    this.receiver = receiver;
  }

  /** Local port. */
  public int port() {
    return port;
  }

  /** Sets DSCP, 0..63, and ECN codepoint of later datagrams; initially 0 and not ECN-capable. */
  public void setTrafficClass(int dscp, Ecn ecn) {
    if (dscp < 0 || dscp > 63) {
      throw new IllegalArgumentException("dscp " + dscp + ": must be 0..63");
    }
    trafficClass = dscp << 2 | ecn.bits();
  }

  /**
   * Sends a datagram from the host's first address of the destination's family.
   *
   * @param destinationPort 1..65535
   * @throws IllegalArgumentException when the data does not fit into the host's MTU
   * @throws IllegalStateException when the socket is closed
   */
  public void send(
      IpAddress destination, int destinationPort, byte[] data, int offset, int length) {
    if (closed) {
      throw new IllegalStateException("UDP port " + port + " of " + host + ": closed");
    }
    if (destinationPort < 1 || destinationPort > 65_535) {
      throw new IllegalArgumentException(
          "destinationPort " + destinationPort + ": must be 1..65535");
    }
    IpAddress source = host.sourceFor(destination);
    int most = host.maxPayloadBytes(source.ipv6()) - UdpStack.HEADER_BYTES;
    if (length < 0 || length > most) {
      throw new IllegalArgumentException("datagram of " + length + " bytes: must be 0.." + most);
    }
    byte[] buffer = host.frameBuffer();
    int at = host.payloadStart(source.ipv6());
    int udpBytes = UdpStack.HEADER_BYTES + length;
    Host.put(buffer, at, port, 2);
    Host.put(buffer, at + 2, destinationPort, 2);
    Host.put(buffer, at + 4, udpBytes, 2);
    Host.put(buffer, at + 6, 0, 2);
    System.arraycopy(data, offset, buffer, at + UdpStack.HEADER_BYTES, length);
    int checksum =
        InternetChecksum.finishUdp(
            Host.pseudoHeaderSum(source, destination, UdpStack.PROTOCOL, udpBytes)
                + InternetChecksum.sum(buffer, at, udpBytes));
    Host.put(buffer, at + 6, checksum, 2);
    sentDatagrams++;
    sentBytes += length;
    host.send(
        source,
        destination,
        UdpStack.PROTOCOL,
        udpBytes,
        trafficClass,
        host.simulation().nowNanos());
  }

  /** Frees the port. */
  public void close() {
    closed = true;
    stack.close(this);
  }

  /** Datagrams sent. */
  public long sentDatagrams() {
    return sentDatagrams;
  }

  /** Bytes of data sent, without headers. */
  public long sentBytes() {
    return sentBytes;
  }

  /** Datagrams received. */
  public long receivedDatagrams() {
    return receivedDatagrams;
  }

  /** Bytes of data received, without headers. */
  public long receivedBytes() {
    return receivedBytes;
  }

  /** Datagrams received with the CE codepoint. */
  public long ceMarks() {
    return ceMarks;
  }

  void deliver(IpPacket packet, int sourcePort, long nowNanos) {
    int length = packet.payloadLength() - UdpStack.HEADER_BYTES;
    receivedDatagrams++;
    receivedBytes += length;
    if (packet.ecnBits() == Ecn.CE.bits()) {
      ceMarks++;
    }
    receiver.onDatagram(
        this, packet, sourcePort, packet.payloadOffset() + UdpStack.HEADER_BYTES, length, nowNanos);
  }
}
