package net.sluice.emulator.netsim.host.tcp;

import java.util.List;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.host.Host;
import net.sluice.emulator.netsim.host.HostConfig;
import net.sluice.emulator.netsim.host.ImpairedPath;
import net.sluice.emulator.netsim.host.IpAddress;

/** Two hosts with a path in either direction. */
final class TcpPair {

  static final long MILLI = 1_000_000L;
  static final long SECOND = 1_000_000_000L;
  static final int PORT = 5_001;

  final Simulation simulation;
  final Host left;
  final Host right;
  final TcpStack client;
  final TcpStack server;
  final ImpairedPath toRight;
  final ImpairedPath toLeft;

  TcpPair(long seed, TcpConfig config) {
    this(seed, config, config);
  }

  TcpPair(long seed, TcpConfig clientConfig, TcpConfig serverConfig) {
    simulation = new Simulation(seed);
    left = host("left", 1, 2);
    right = host("right", 2, 1);
    client = TcpStack.on(left, clientConfig, 1);
    server = TcpStack.on(right, serverConfig, 2);
    toRight = new ImpairedPath(simulation, 3, right);
    toLeft = new ImpairedPath(simulation, 4, left);
    left.attach(toRight);
    right.attach(toLeft);
  }

  private Host host(String name, int own, int other) {
    long mac = 0x02_00_00_00_00_00L;
    List<IpAddress> addresses =
        List.of(IpAddress.of("10.0.0." + own), IpAddress.of("2001:db8::" + own));
    return new Host(simulation, new HostConfig(name, mac | own, mac | other, addresses, 0));
  }

  /** Both directions with so much delay, the one to the right a line with a queue. */
  TcpPair bottleneck(long rateBps, long rttNanos, long queueBytes) {
    toRight.line(rateBps, queueBytes).delayNanos(rttNanos / 2);
    toLeft.delayNanos(rttNanos / 2);
    return this;
  }

  IpAddress rightAddress() {
    return IpAddress.of("10.0.0.2");
  }

  void run(long untilNanos) {
    simulation.runUntil(untilNanos);
  }

  /** A byte for every position, without a short period. */
  static byte patternAt(long position) {
    long x = position * 0x9E3779B97F4A7C15L;
    return (byte) (x >>> 56 ^ x >>> 29);
  }

  static final PayloadSource PATTERN =
      (position, buffer, at, length) -> {
        for (int i = 0; i < length; i++) {
          buffer[at + i] = patternAt(position + i);
        }
      };

  /** Takes a stream of the pattern, hashing and comparing it byte by byte. */
  static class Checker implements TcpHandler {
    long bytes;
    long wrong;
    boolean remoteClosed;
    CloseReason reason;
    TcpConnection connection;

    @Override
    public void onEstablished(TcpConnection established) {
      connection = established;
    }

    @Override
    public void onData(TcpConnection from, byte[] buffer, int offset, int length) {
      for (int i = 0; i < length; i++) {
        if (buffer[offset + i] != patternAt(bytes + i)) {
          wrong++;
        }
      }
      bytes += length;
    }

    @Override
    public void onRemoteClosed(TcpConnection closing) {
      remoteClosed = true;
      closing.close();
    }

    @Override
    public void onClosed(TcpConnection closed, CloseReason why) {
      reason = why;
    }
  }

  Checker serveChecker() {
    Checker checker = new Checker();
    server.listen(PORT, (address, port) -> checker);
    return checker;
  }

  TcpBulkSender bulk(long bytes) {
    return TcpBulkSender.to(client, rightAddress(), PORT).bytes(bytes).payload(PATTERN).start();
  }
}
