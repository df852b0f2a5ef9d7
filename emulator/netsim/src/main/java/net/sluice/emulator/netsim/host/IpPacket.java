package net.sluice.emulator.netsim.host;

import net.sluice.emulator.switching.InternetChecksum;

/**
 * A received IP packet, as a view of the frame it came in. One object serves every packet of a
 * host: it is valid only during the call that passes it.
 */
public final class IpPacket {

  byte[] bytes;
  int payloadOffset;
  int payloadLength;
  boolean ipv6;
  long sourceHigh;
  long sourceLow;
  long destinationHigh;
  long destinationLow;
  int protocol;
  int trafficClass;

  IpPacket() {}

  /** Buffer that holds the packet; not to be changed. */
  public byte[] bytes() {
    return bytes;
  }

  /** Index of the first byte after the IP header. */
  public int payloadOffset() {
    return payloadOffset;
  }

  /** Bytes after the IP header. */
  public int payloadLength() {
    return payloadLength;
  }

  /** Whether it is IPv6. */
  public boolean ipv6() {
    return ipv6;
  }

  /** Upper 64 bits of an IPv6 source; 0 for IPv4. */
  public long sourceHigh() {
    return sourceHigh;
  }

  /** Lower 64 bits of an IPv6 source; the IPv4 source. */
  public long sourceLow() {
    return sourceLow;
  }

  /** Upper 64 bits of an IPv6 destination; 0 for IPv4. */
  public long destinationHigh() {
    return destinationHigh;
  }

  /** Lower 64 bits of an IPv6 destination; the IPv4 destination. */
  public long destinationLow() {
    return destinationLow;
  }

  /** Source address, as a new object. */
  public IpAddress source() {
    return new IpAddress(ipv6, sourceHigh, sourceLow);
  }

  /** Destination address, as a new object. */
  public IpAddress destination() {
    return new IpAddress(ipv6, destinationHigh, destinationLow);
  }

  /** ECN bits, 0..3, see {@link net.sluice.emulator.netsim.traffic.Ecn}. */
  public int ecnBits() {
    return trafficClass & 3;
  }

  /**
   * Whether the payload, with its pseudo-header (RFC 9293 section 3.1, RFC 8200 section 8.1), has a
   * right checksum.
   */
  public boolean payloadChecksumRight() {
    long low = 0xFFFF_FFFFL;
    long sum =
        (sourceHigh >>> 32)
            + (sourceHigh & low)
            + (sourceLow >>> 32)
            + (sourceLow & low)
            + (destinationHigh >>> 32)
            + (destinationHigh & low)
            + (destinationLow >>> 32)
            + (destinationLow & low)
            + protocol
            + payloadLength
            + InternetChecksum.sum(bytes, payloadOffset, payloadLength);
    return InternetChecksum.finish(sum) == 0;
  }
}
