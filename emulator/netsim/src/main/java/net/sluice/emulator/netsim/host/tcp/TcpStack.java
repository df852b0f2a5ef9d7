package net.sluice.emulator.netsim.host.tcp;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import net.sluice.emulator.netsim.Prng;
import net.sluice.emulator.netsim.host.Host;
import net.sluice.emulator.netsim.host.IpAddress;
import net.sluice.emulator.netsim.host.IpPacket;
import net.sluice.emulator.netsim.host.IpProtocol;
import net.sluice.emulator.netsim.traffic.Ecn;
import net.sluice.emulator.switching.InternetChecksum;

/**
 * A host's TCP: its connections and listening ports. Segments with a wrong checksum are dropped and
 * counted, those for no connection are answered with a reset.
 *
 * <p>Initial sequence numbers come from the simulation's seed, so that a run can be repeated; they
 * are predictable, unlike those of RFC 6528: an emulated network has no attackers.
 */
public final class TcpStack implements IpProtocol {

  private static final int PROTOCOL = 6;
  private static final int MAX_PORT = 65_535;
  private static final int FIRST_EPHEMERAL = 49_152;
  private static final int CHECKSUM_AT = 16;

  private final Host host;
  private final TcpConfig config;
  private final Prng random;
  private final Map<ConnectionKey, TcpConnection> connections = new HashMap<>();
  private final Map<Integer, TcpAcceptor> listeners = new HashMap<>();
  private final ConnectionKey lookup = new ConnectionKey();
  private final TcpSegment incoming = new TcpSegment();
  private final TcpSegment outgoing = new TcpSegment();
  private int nextInitial;
  private int nextEphemeral = FIRST_EPHEMERAL;
  private long badSegments;
  private long refusedSegments;

  private TcpStack(Host host, TcpConfig config, long streamId) {
    this.host = host;
    this.config = Objects.requireNonNull(config, "config");
    this.random = host.simulation().random(streamId);
    this.nextInitial = (int) random.nextLong();
  }

  /**
   * Adds TCP to a host.
   *
   * @param streamId names the random numbers for sequence numbers, see {@link
   *     net.sluice.emulator.netsim.Simulation#random}; hosts should have different ones
   * @throws IllegalStateException when it has TCP already
   */
  public static TcpStack on(Host host, TcpConfig config, long streamId) {
    TcpStack stack = new TcpStack(host, config, streamId);
    host.register(PROTOCOL, stack);
    return stack;
  }

  /** The host. */
  public Host host() {
    return host;
  }

  TcpConfig config() {
    return config;
  }

  /**
   * Accepts connections on a port, on all addresses of the host.
   *
   * @param port 1..65535
   * @throws IllegalStateException when somebody listens there already
   */
  public void listen(int port, TcpAcceptor acceptor) {
    checkPort("port", port);
    if (listeners.putIfAbsent(port, acceptor) != null) {
      throw new IllegalStateException("TCP port " + port + " of " + host + ": in use");
    }
  }

  /** Accepts no more connections on a port; those that exist stay. */
  public void unlisten(int port) {
    listeners.remove(port);
  }

  /** Opens a connection from the host's first address of the destination's family. */
  public TcpConnection connect(IpAddress remote, int remotePort, TcpHandler handler) {
    return connect(host.sourceFor(remote), remote, remotePort, handler);
  }

  /**
   * Opens a connection from any free port from 49152 up.
   *
   * @param local one of the host's addresses
   * @param remote address to connect to, of the same family
   * @param remotePort 1..65535
   * @throws IllegalStateException when no port is free
   */
  public TcpConnection connect(
      IpAddress local, IpAddress remote, int remotePort, TcpHandler handler) {
    checkPort("remotePort", remotePort);
    if (!host.owns(local) || local.ipv6() != remote.ipv6()) {
      throw new IllegalArgumentException(
          "local address %s: must be an address of %s and of the family of %s"
              .formatted(local, host, remote));
    }
    ConnectionKey key = freeKey(local, remote, remotePort);
    TcpConnection connection = open(key, local, remote, handler);
    connection.openActively(host.simulation().nowNanos());
    return connection;
  }

  /** Connections that are not closed. */
  public int connections() {
    return connections.size();
  }

  /** Segments dropped for a wrong checksum or a malformed header. */
  public long badSegments() {
    return badSegments;
  }

  /** Segments answered with a reset, as they belonged to no connection. */
  public long refusedSegments() {
    return refusedSegments;
  }

  @Override
  public void receive(IpPacket packet, long nowNanos) {
    TcpSegment segment = incoming;
    if (!packet.payloadChecksumRight()
        || !segment.parse(packet.bytes(), packet.payloadOffset(), packet.payloadLength())) {
      badSegments++;
      return;
    }
    lookup.set(packet, segment);
    TcpConnection connection = connections.get(lookup);
    if (connection != null) {
      connection.onSegment(segment, packet.bytes(), packet.ecnBits(), nowNanos);
      return;
    }
    IpAddress local = packet.destination();
    IpAddress remote = packet.source();
    TcpAcceptor acceptor = listeners.get(segment.destinationPort);
    boolean opens =
        segment.has(TcpSegment.SYN) && !segment.has(TcpSegment.ACK) && !segment.has(TcpSegment.RST);
    if (acceptor == null || !opens) {
      refuse(segment, local, remote, nowNanos);
      return;
    }
    ConnectionKey key =
        new ConnectionKey(local, segment.destinationPort, remote, segment.sourcePort);
    TcpHandler handler = acceptor.accept(remote, segment.sourcePort);
    open(key, local, remote, handler).openPassively(segment, packet.ecnBits(), nowNanos);
  }

  /** Answers a segment without a connection with a reset, RFC 9293 section 3.10.7.1. */
  void refuse(TcpSegment segment, IpAddress local, IpAddress remote, long nowNanos) {
    if (segment.has(TcpSegment.RST)) {
      return;
    }
    refusedSegments++;
    TcpSegment out = outgoing;
    out.clear();
    out.sourcePort = segment.destinationPort;
    out.destinationPort = segment.sourcePort;
    if (segment.has(TcpSegment.ACK)) {
      out.flags = TcpSegment.RST;
      out.sequence = segment.acknowledgement;
    } else {
      out.flags = TcpSegment.RST | TcpSegment.ACK;
      out.acknowledgement = segment.sequence + segment.sequenceLength();
    }
    int headerBytes = out.write(host.frameBuffer(), host.payloadStart(local.ipv6()));
    send(local, remote, headerBytes, Ecn.NOT_ECT.bits(), nowNanos);
  }

  /** Sends the segment that lies in the host's frame buffer, with its checksum. */
  void send(IpAddress local, IpAddress remote, int segmentBytes, int ecnBits, long nowNanos) {
    byte[] buffer = host.frameBuffer();
    int at = host.payloadStart(local.ipv6());
    long sum =
        Host.pseudoHeaderSum(local, remote, PROTOCOL, segmentBytes)
            + InternetChecksum.sum(buffer, at, segmentBytes);
    TcpSegment.write16(buffer, at + CHECKSUM_AT, InternetChecksum.finish(sum));
    host.send(local, remote, PROTOCOL, segmentBytes, ecnBits, nowNanos);
  }

  /** Decides the initial sequence number of the next connection. */
  void setNextInitial(int sequence) {
    nextInitial = sequence;
  }

  TcpSegment outgoing() {
    return outgoing;
  }

  void remove(ConnectionKey key) {
    connections.remove(key);
  }

  private TcpConnection open(
      ConnectionKey key, IpAddress local, IpAddress remote, TcpHandler handler) {
    int initial = nextInitial;
    nextInitial = (int) random.nextLong();
    TcpConnection connection =
        new TcpConnection(this, key, local, remote, handler, initial, (int) random.nextLong());
    connections.put(key, connection);
    return connection;
  }

  private ConnectionKey freeKey(IpAddress local, IpAddress remote, int remotePort) {
    for (int tried = FIRST_EPHEMERAL; tried <= MAX_PORT; tried++) {
      int port = nextEphemeral;
      nextEphemeral = port == MAX_PORT ? FIRST_EPHEMERAL : port + 1;
      ConnectionKey key = new ConnectionKey(local, port, remote, remotePort);
      if (!connections.containsKey(key) && !listeners.containsKey(port)) {
        return key;
      }
    }
    throw new IllegalStateException(
        "ports of " + host + " to " + remote + " port " + remotePort + ": none is free");
  }

  private static void checkPort(String field, int port) {
    if (port < 1 || port > MAX_PORT) {
      throw new IllegalArgumentException(field + " " + port + ": must be 1.." + MAX_PORT);
    }
  }
}
