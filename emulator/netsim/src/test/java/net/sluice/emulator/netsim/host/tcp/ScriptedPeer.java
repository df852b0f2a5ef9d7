package net.sluice.emulator.netsim.host.tcp;

import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.host.Host;
import net.sluice.emulator.netsim.host.HostConfig;
import net.sluice.emulator.netsim.host.IpAddress;
import net.sluice.emulator.switching.InternetChecksum;

/**
 * The other end of a connection, played by a test: every segment the host under test sends is
 * written down as text with sequence numbers relative to the initial ones, every segment it
 * receives is made here by hand. The peer's own initial sequence number is {@link #INITIAL}, near
 * the wrap.
 */
final class ScriptedPeer implements FrameReceiver {

  static final int INITIAL = 0xFFFF_FF00;

  /** Flags of a SYN that asks for the feedback of RFC 9768. */
  static final int ASKS_ACCURATE = TcpSegment.AE | TcpSegment.CWR | TcpSegment.ECE;

  static final int PEER_PORT = 7_000;
  static final int HOST_PORT = 80;
  static final long MILLI = 1_000_000L;

  final Simulation simulation = new Simulation(5);
  final Host host;
  final TcpStack stack;
  final TcpPair.Checker checker = new TcpPair.Checker();
  final List<String> log = new ArrayList<>();
  TcpConnection connection;

  /** The last segment, all of it. */
  final TcpSegment last = new TcpSegment();

  int lastEcnBits;
  int hostInitial;
  int hostPort;
  int peerTimestamp = 1_000;
  boolean timestamps;

  private final Host script;

  ScriptedPeer(TcpConfig config) {
    host = new Host(simulation, new HostConfig("host", 1, 2, List.of(IpAddress.of("10.0.0.1")), 0));
    script =
        new Host(simulation, new HostConfig("script", 2, 1, List.of(IpAddress.of("10.0.0.2")), 0));
    stack = TcpStack.on(host, config, 1);
    host.attach(this);
    script.attach(host);
    // The script's host only takes frames apart.
    script.register(
        6,
        (packet, now) -> {
          if (!packet.payloadChecksumRight()
              || !last.parse(packet.bytes(), packet.payloadOffset(), packet.payloadLength())) {
            throw new AssertionError("the host sent a malformed segment");
          }
          lastEcnBits = packet.ecnBits();
          log.add(describe(now));
        });
  }

  @Override
  public void receive(byte[] bytes, int offset, int length, long tag, long nowNanos) {
    script.receive(bytes, offset, length, tag, nowNanos);
  }

  private String describe(long now) {
    if (last.has(TcpSegment.SYN)) {
      hostInitial = last.sequence;
      hostPort = last.sourcePort;
    }
    StringBuilder text = new StringBuilder();
    text.append(now / MILLI).append(' ');
    String[] names = {"F", "S", "R", "P", ".", "U", "E", "W", "A"};
    for (int i = 0; i < 9; i++) {
      text.append((last.flags >> i & 1) == 1 ? names[i] : "");
    }
    int sequence = last.sequence - hostInitial;
    text.append(' ').append(sequence).append(':').append(sequence + last.dataLength);
    if (last.has(TcpSegment.ACK)) {
      text.append(" ack ").append(last.acknowledgement - INITIAL);
    }
    for (int i = 0; i < last.sackBlocks; i++) {
      text.append(i == 0 ? " sack " : ",")
          .append(last.sackLeft[i] - INITIAL)
          .append('-')
          .append(last.sackRight[i] - INITIAL);
    }
    return text.toString();
  }

  /** The segments sent since the last call: time in ms, flags, relative sequence range, ack. */
  List<String> sent() {
    List<String> taken = List.copyOf(log);
    log.clear();
    return taken;
  }

  /** A segment to fill in. */
  TcpSegment segment(int flags, int sequence, int ack) {
    TcpSegment segment = new TcpSegment();
    segment.clear();
    segment.sourcePort = PEER_PORT;
    segment.destinationPort = hostPort == 0 ? HOST_PORT : hostPort;
    segment.flags = flags;
    segment.sequence = INITIAL + sequence;
    segment.acknowledgement = hostInitial + ack;
    segment.window = 0xffff;
    if (timestamps) {
      segment.hasTimestamps = true;
      segment.timestamp = peerTimestamp;
      segment.timestampEcho = last.timestamp;
    }
    return segment;
  }

  void give(TcpSegment segment, int dataBytes, int ecnBits) {
    byte[] buffer = script.frameBuffer();
    int at = script.payloadStart(false);
    int header = segment.write(buffer, at);
    int position = segment.sequence - INITIAL - 1;
    for (int i = 0; i < dataBytes; i++) {
      buffer[at + header + i] = TcpPair.patternAt(position + i);
    }
    IpAddress from = IpAddress.of("10.0.0.2");
    IpAddress to = IpAddress.of("10.0.0.1");
    long sum =
        Host.pseudoHeaderSum(from, to, 6, header + dataBytes)
            + InternetChecksum.sum(buffer, at, header + dataBytes);
    TcpSegment.write16(buffer, at + 16, InternetChecksum.finish(sum));
    script.send(from, to, 6, header + dataBytes, ecnBits, simulation.nowNanos());
    // The answer comes within the call, so the script's host has put it off.
    simulation.runUntil(simulation.nowNanos());
  }

  /** An acknowledgement, perhaps with data. */
  void give(int sequence, int dataBytes, int ack) {
    give(segment(TcpSegment.ACK, sequence, ack), dataBytes, 0);
  }

  /** An acknowledgement with SACK blocks, left and right edges in turn. */
  void giveSack(int ack, int... edges) {
    TcpSegment segment = segment(TcpSegment.ACK, 1, ack);
    segment.sackBlocks = edges.length / 2;
    for (int i = 0; i < edges.length / 2; i++) {
      segment.sackLeft[i] = hostInitial + edges[2 * i];
      segment.sackRight[i] = hostInitial + edges[2 * i + 1];
    }
    give(segment, 0, 0);
  }

  /** Runs up to a time in milliseconds. */
  void at(long millis) {
    simulation.runUntil(millis * MILLI);
  }

  /** The host listens; the peer opens with an MSS of 1000 and what else the SYN is made to say. */
  void openToHost(java.util.function.Consumer<TcpSegment> options) {
    stack.listen(HOST_PORT, (address, port) -> checker);
    TcpSegment syn = segment(TcpSegment.SYN, 0, 0);
    syn.mss = 1_000;
    options.accept(syn);
    give(syn, 0, 0);
    hostPort = HOST_PORT;
    give(1, 0, 1);
    connection = checker.connection;
    sent();
  }

  /** The host opens; the peer answers after ten milliseconds with an MSS of 1000. */
  void openFromHost(TcpHandler handler, java.util.function.Consumer<TcpSegment> options) {
    connection = stack.connect(IpAddress.of("10.0.0.2"), PEER_PORT, handler);
    at(10);
    TcpSegment answer = segment(TcpSegment.SYN | TcpSegment.ACK, 0, 1);
    answer.mss = 1_000;
    options.accept(answer);
    give(answer, 0, 0);
    sent();
  }
}
