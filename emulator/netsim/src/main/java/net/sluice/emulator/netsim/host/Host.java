package net.sluice.emulator.netsim.host;

import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.netsim.EventHandler;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.FrameStore;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.traffic.FlowTag;
import net.sluice.emulator.switching.InternetChecksum;

/**
 * An end system in the simulated network: one interface with a MAC address, IPv4 and IPv6
 * addresses, no VLAN tags, an MTU of {@value #MTU_BYTES} bytes, and protocols on top. Frames are
 * sent to the receiver given to {@link #attach}, usually a link with a rate; the host itself is the
 * receiver of the other direction.
 *
 * <p>There is neither ARP nor neighbour discovery: every frame goes to the one next-hop MAC address
 * the host was built with. Packets are never fragmented nor reassembled, IPv6 extension headers are
 * an unknown protocol.
 *
 * <p>To be used by the thread that runs the simulation or under its lock.
 */
public final class Host implements FrameReceiver, EventHandler {

  /** Largest IP packet, bytes. */
  public static final int MTU_BYTES = 1_500;

  private static final int ETHERNET_BYTES = 14;
  private static final int IPV4_BYTES = 20;
  private static final int IPV6_BYTES = 40;
  private static final int ETHERTYPE_AT = 12;
  private static final int ETHERTYPE_IPV4 = 0x0800;
  private static final int ETHERTYPE_IPV6 = 0x86DD;
  static final int TPID_C = 0x8100;
  static final int TPID_S = 0x88A8;
  private static final int HOP_LIMIT = 64;
  private static final int PROTOCOLS = 256;

  private final Simulation simulation;
  private final HostConfig config;
  private final List<IpAddress> addresses;
  private final byte[] linkHeader4;
  private final byte[] linkHeader6;
  private final byte[] frame;
  private final IpProtocol[] protocols = new IpProtocol[PROTOCOLS];
  private final IpPacket packet = new IpPacket();
  private final FrameStore deferred = new FrameStore();
  private FrameReceiver uplink;
  private boolean sending;

  private long sentFrames;
  private long sentBytes;
  private long receivedFrames;
  private long receivedBytes;
  private long otherMac;
  private long otherVlan;
  private long notIp;
  private long badHeader;
  private long fragments;
  private long otherAddress;
  private long unknownProtocol;

  /** A host that is not yet attached. */
  public Host(Simulation simulation, HostConfig config) {
    this.simulation = simulation;
    this.config = config;
    this.addresses = new ArrayList<>(config.addresses());
    this.linkHeader4 = linkHeader(ETHERTYPE_IPV4);
    this.linkHeader6 = linkHeader(ETHERTYPE_IPV6);
    this.frame = new byte[ETHERNET_BYTES + MTU_BYTES];
  }

  /** The simulation the host lives in. */
  public Simulation simulation() {
    return simulation;
  }

  /** The host's configuration. */
  public HostConfig config() {
    return config;
  }

  /** Sets the receiver of the host's frames. */
  public void attach(FrameReceiver receiver) {
    this.uplink = receiver;
  }

  /**
   * Registers a protocol on top of IP.
   *
   * @param number IP protocol number, 0..255
   * @throws IllegalStateException when the number is taken
   */
  public void register(int number, IpProtocol protocol) {
    if (number < 0 || number >= PROTOCOLS) {
      throw new IllegalArgumentException("protocol " + number + ": must be 0.." + (PROTOCOLS - 1));
    }
    if (protocols[number] != null) {
      throw new IllegalStateException(
          "protocol " + number + " of " + this + ": registered already");
    }
    protocols[number] = protocol;
  }

  /**
   * The host's address to talk to a destination from: the first of the same family.
   *
   * @throws IllegalArgumentException when the host has none
   */
  public IpAddress sourceFor(IpAddress destination) {
    for (IpAddress address : addresses) {
      if (address.ipv6() == destination.ipv6()) {
        return address;
      }
    }
    throw new IllegalArgumentException(
        "destination " + destination + ": " + this + " has no address of that family");
  }

  /** Whether an address is the host's own. */
  public boolean owns(IpAddress address) {
    return addresses.contains(address);
  }

  /** Bytes an IP packet of the host can carry after its header. */
  public int maxPayloadBytes(boolean ipv6) {
    return MTU_BYTES - (ipv6 ? IPV6_BYTES : IPV4_BYTES);
  }

  /**
   * Buffer to write a payload into before {@link #send}, from {@link #payloadStart} on; what is in
   * it is lost with every send.
   */
  public byte[] frameBuffer() {
    return frame;
  }

  /** Index of the payload in {@link #frameBuffer}. */
  public int payloadStart(boolean ipv6) {
    return ETHERNET_BYTES + (ipv6 ? IPV6_BYTES : IPV4_BYTES);
  }

  /** Sum of the pseudo-header that transport checksums include. */
  public static long pseudoHeaderSum(
      IpAddress source, IpAddress destination, int protocol, int payloadBytes) {
    return source.checksumWords() + destination.checksumWords() + protocol + payloadBytes;
  }

  /**
   * Sends what lies in {@link #frameBuffer} as the payload of a packet.
   *
   * @param payloadBytes 0..{@link #maxPayloadBytes}
   * @param trafficClass DSCP and ECN bits, 0..255
   * @throws IllegalStateException when the host is not attached
   */
  public void send(
      IpAddress source,
      IpAddress destination,
      int protocol,
      int payloadBytes,
      int trafficClass,
      long nowNanos) {
    if (uplink == null) {
      throw new IllegalStateException(this + " is not attached: nowhere to send to");
    }
    if (payloadBytes < 0 || payloadBytes > maxPayloadBytes(source.ipv6())) {
      throw new IllegalArgumentException(
          "payloadBytes " + payloadBytes + ": must be 0.." + maxPayloadBytes(source.ipv6()));
    }
    int ip = ETHERNET_BYTES;
    int length;
    if (source.ipv6()) {
      System.arraycopy(linkHeader6, 0, frame, 0, ip);
      put(frame, ip, 6L << 28 | (long) trafficClass << 20, 4);
      put(frame, ip + 4, payloadBytes, 2);
      frame[ip + 6] = (byte) protocol;
      frame[ip + 7] = HOP_LIMIT;
      put(frame, ip + 8, source.high(), 8);
      put(frame, ip + 16, source.low(), 8);
      put(frame, ip + 24, destination.high(), 8);
      put(frame, ip + 32, destination.low(), 8);
      length = ip + IPV6_BYTES + payloadBytes;
    } else {
      System.arraycopy(linkHeader4, 0, frame, 0, ip);
      frame[ip] = 0x45;
      frame[ip + 1] = (byte) trafficClass;
      put(frame, ip + 2, IPV4_BYTES + payloadBytes, 2);
      // Identification 0 and Don't Fragment: an atomic datagram, RFC 6864.
      put(frame, ip + 4, 0x4000, 4);
      frame[ip + 8] = HOP_LIMIT;
      frame[ip + 9] = (byte) protocol;
      put(frame, ip + 10, 0, 2);
      put(frame, ip + 12, source.low(), 4);
      put(frame, ip + 16, destination.low(), 4);
      put(frame, ip + 10, InternetChecksum.finish(InternetChecksum.sum(frame, ip, IPV4_BYTES)), 2);
      length = ip + IPV4_BYTES + payloadBytes;
    }
    sentFrames++;
    sentBytes += length;
    sending = true;
    try {
      uplink.receive(frame, 0, length, FlowTag.of(config.flowId(), nowNanos), nowNanos);
    } finally {
      sending = false;
    }
  }

  @Override
  public void receive(byte[] bytes, int offset, int length, long tag, long nowNanos) {
    if (sending || deferred.count() > 0) {
      // A reply has arrived within the call that sends. The sender is not done yet, so the reply
      // waits.
      simulation.schedule(nowNanos, this, deferred.put(bytes, offset, length, tag));
      return;
    }
    accept(bytes, offset, length, nowNanos);
  }

  @Override
  public void onEvent(long nowNanos, long argument) {
    int slot = (int) argument;
    accept(deferred.bytes(slot), 0, deferred.length(slot), nowNanos);
    deferred.release(slot);
  }

  /** The network layer's statistics. */
  public HostStatistics statistics() {
    return new HostStatistics(
        sentFrames,
        sentBytes,
        receivedFrames,
        receivedBytes,
        otherMac,
        otherVlan,
        notIp,
        badHeader,
        fragments,
        otherAddress,
        unknownProtocol);
  }

  @Override
  public String toString() {
    return "host " + config.name();
  }

  private void accept(byte[] bytes, int offset, int length, long nowNanos) {
    receivedFrames++;
    receivedBytes += length;
    if (length < ETHERNET_BYTES) {
      notIp++;
      return;
    }
    if (IpAddress.read(bytes, offset, 6) != config.mac()) {
      otherMac++;
      return;
    }
    int at = offset + ETHERTYPE_AT;
    int end = offset + length;
    switch (read16(bytes, at)) {
      case ETHERTYPE_IPV4 -> acceptIpv4(bytes, at + 2, end, nowNanos);
      case ETHERTYPE_IPV6 -> acceptIpv6(bytes, at + 2, end, nowNanos);
      case TPID_C, TPID_S -> otherVlan++;
      default -> notIp++;
    }
  }

  private void acceptIpv4(byte[] bytes, int ip, int end, long nowNanos) {
    int headerBytes = ip + IPV4_BYTES <= end ? (bytes[ip] & 0xf) * 4 : 0;
    int totalBytes = headerBytes == 0 ? 0 : read16(bytes, ip + 2);
    if (headerBytes < IPV4_BYTES
        || (bytes[ip] & 0xf0) != 0x40
        || totalBytes < headerBytes
        || ip + totalBytes > end
        || InternetChecksum.finish(InternetChecksum.sum(bytes, ip, headerBytes)) != 0) {
      badHeader++;
      return;
    }
    if ((read16(bytes, ip + 6) & 0x3fff) != 0) {
      fragments++;
      return;
    }
    packet.bytes = bytes;
    packet.ipv6 = false;
    packet.trafficClass = bytes[ip + 1] & 0xff;
    packet.protocol = bytes[ip + 9] & 0xff;
    packet.sourceHigh = 0;
    packet.sourceLow = IpAddress.read(bytes, ip + 12, 4);
    packet.destinationHigh = 0;
    packet.destinationLow = IpAddress.read(bytes, ip + 16, 4);
    packet.payloadOffset = ip + headerBytes;
    packet.payloadLength = totalBytes - headerBytes;
    pass(nowNanos);
  }

  private void acceptIpv6(byte[] bytes, int ip, int end, long nowNanos) {
    int payloadBytes = ip + IPV6_BYTES <= end ? read16(bytes, ip + 4) : -1;
    if (payloadBytes < 0 || (bytes[ip] & 0xf0) != 0x60 || ip + IPV6_BYTES + payloadBytes > end) {
      badHeader++;
      return;
    }
    packet.bytes = bytes;
    packet.ipv6 = true;
    packet.trafficClass = read16(bytes, ip) >> 4 & 0xff;
    packet.protocol = bytes[ip + 6] & 0xff;
    packet.sourceHigh = IpAddress.read(bytes, ip + 8, 8);
    packet.sourceLow = IpAddress.read(bytes, ip + 16, 8);
    packet.destinationHigh = IpAddress.read(bytes, ip + 24, 8);
    packet.destinationLow = IpAddress.read(bytes, ip + 32, 8);
    packet.payloadOffset = ip + IPV6_BYTES;
    packet.payloadLength = payloadBytes;
    pass(nowNanos);
  }

  private void pass(long nowNanos) {
    if (!isOwn(packet.ipv6, packet.destinationHigh, packet.destinationLow)) {
      otherAddress++;
      return;
    }
    IpProtocol protocol = protocols[packet.protocol];
    if (protocol == null) {
      unknownProtocol++;
      return;
    }
    protocol.receive(packet, nowNanos);
  }

  private boolean isOwn(boolean ipv6, long high, long low) {
    for (int i = 0; i < addresses.size(); i++) {
      IpAddress address = addresses.get(i);
      if (address.low() == low && address.high() == high && address.ipv6() == ipv6) {
        return true;
      }
    }
    return false;
  }

  private byte[] linkHeader(int etherType) {
    byte[] header = new byte[ETHERNET_BYTES];
    put(header, 0, config.nextHopMac(), 6);
    put(header, 6, config.mac(), 6);
    put(header, ETHERTYPE_AT, etherType, 2);
    return header;
  }

  private static int read16(byte[] bytes, int at) {
    return (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
  }

  static void put(byte[] buffer, int at, long value, int bytes) {
    for (int i = 0; i < bytes; i++) {
      buffer[at + i] = (byte) (value >> 8 * (bytes - 1 - i));
    }
  }
}
