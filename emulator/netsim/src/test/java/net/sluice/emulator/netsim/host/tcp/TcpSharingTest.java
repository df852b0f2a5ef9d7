package net.sluice.emulator.netsim.host.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.netsim.Link;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.netsim.TestDevice;
import net.sluice.emulator.netsim.host.Host;
import net.sluice.emulator.netsim.host.HostConfig;
import net.sluice.emulator.netsim.host.HostDemultiplexer;
import net.sluice.emulator.netsim.host.IpAddress;
import net.sluice.emulator.netsim.host.tcp.congestion.CongestionAlgorithm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Several flows and one line, with and without ECN, and a switch between hosts. */
class TcpSharingTest {

  private static final long MILLI = TcpPair.MILLI;
  private static final long SECOND = TcpPair.SECOND;
  private static final int RATE_BPS = 10_000_000;
  private static final long RTT = 40 * MILLI;
  private static final int BDP = 50_000;

  private static double jain(List<TcpSink.Flow> flows) {
    double sum = 0;
    double squares = 0;
    for (TcpSink.Flow flow : flows) {
      sum += flow.bytes();
      squares += (double) flow.bytes() * flow.bytes();
    }
    return sum * sum / (flows.size() * squares);
  }

  @ParameterizedTest
  @CsvSource({"NEW_RENO,0", "NEW_RENO,5", "CUBIC,0", "CUBIC,5", "BBR,0", "BBR,5"})
  void twoEqualFlowsShareEqually(CongestionAlgorithm algorithm, int secondStartsAtSeconds) {
    TcpConfig config = TcpConfig.defaults().withCongestion(algorithm);
    TcpPair pair = new TcpPair(2, config).bottleneck(RATE_BPS, RTT, BDP);
    TcpSink sink = TcpSink.listen(pair.server, TcpPair.PORT);
    for (int i = 0; i < 2; i++) {
      TcpBulkSender.to(pair.client, pair.rightAddress(), TcpPair.PORT)
          .startNanos(i * secondStartsAtSeconds * SECOND + i * 7 * MILLI)
          .start();
    }
    pair.run(20 * SECOND);
    sink.resetStatistics();
    pair.run(120 * SECOND);
    assertThat(sink.goodputBps()).isGreaterThan(0.95 * RATE_BPS * 1_448 / 1_514);
    assertThat(jain(sink.flows())).isGreaterThanOrEqualTo(0.95);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BBR")
  void marksReduceTheWindowWithoutAnyLoss(CongestionAlgorithm algorithm) {
    TcpConfig config = TcpConfig.defaults().withCongestion(algorithm).withEcn(true);
    TcpPair pair = new TcpPair(3, config).bottleneck(RATE_BPS, RTT, 20 * BDP);
    pair.toRight.markAbove(BDP);
    TcpSink sink = TcpSink.listen(pair.server, TcpPair.PORT);
    TcpBulkSender sender = TcpBulkSender.to(pair.client, pair.rightAddress(), TcpPair.PORT).start();
    pair.run(3 * SECOND);
    sink.resetStatistics();
    long largest = 0;
    for (int i = 1; i <= 2_000; i++) {
      pair.run(3 * SECOND + i * 10 * MILLI);
      largest = Math.max(largest, sender.connection().statistics().cwndBytes());
    }
    TcpStatistics statistics = sender.connection().statistics();
    assertThat(pair.toRight.marked).isGreaterThan(10);
    assertThat(statistics.ecnReductions()).isBetween(5L, pair.toRight.marked);
    assertThat(pair.toRight.dropped).isZero();
    assertThat(statistics.retransmittedSegments()).isZero();
    assertThat(statistics.timeouts() + statistics.fastRecoveries()).isZero();
    assertThat(sink.goodputBps()).isGreaterThan(0.9 * RATE_BPS * 1_448 / 1_514);
    // The queue is held near the threshold: the window is at most about the path and that.
    assertThat(largest).isBetween(3L * BDP / 2, 9L * BDP / 4);
  }

  @Test
  void withoutEcnTheSamePathFillsItsBuffer() {
    TcpPair pair = new TcpPair(3, TcpConfig.defaults()).bottleneck(RATE_BPS, RTT, 20 * BDP);
    pair.toRight.markAbove(BDP / 2);
    TcpSink.listen(pair.server, TcpPair.PORT);
    TcpBulkSender sender = TcpBulkSender.to(pair.client, pair.rightAddress(), TcpPair.PORT).start();
    pair.run(10 * SECOND);
    assertThat(pair.toRight.marked).isZero();
    assertThat(sender.connection().statistics().srttNanos()).isGreaterThan(5 * RTT);
  }

  /** Forty flows of forty hosts through a switch with a finite queue, acknowledgements back. */
  @Test
  void manyHostsBehindASwitchFillItsPort() {
    Simulation simulation = new Simulation(11);
    TestDevice device = new TestDevice();
    // What comes in on port 0 leaves on port 1 and the other way round.
    device.load(packet -> packet.egressPort = 1 - packet.ingressPort, packet -> {});
    SwitchNode node = new SwitchNode(simulation, device);
    SwitchPort core = node.addPort(0, 1_000_000_000L, 10_000_000);
    SwitchPort access = node.addPort(1, 100_000_000L, 250_000);
    Host server =
        new Host(simulation, new HostConfig("server", 1, 2, List.of(IpAddress.of("192.0.2.1")), 0));
    server.attach(Link.in(simulation).rateBps(1_000_000_000L).propagationNanos(MILLI).to(core));
    core.connect(Link.in(simulation).propagationNanos(MILLI).to(server));
    TcpStack serverTcp = TcpStack.on(server, TcpConfig.defaults(), 1);
    HostDemultiplexer board = new HostDemultiplexer();
    access.connect(Link.in(simulation).propagationNanos(9 * MILLI).to(board));
    List<TcpSink> sinks = new ArrayList<>();
    int hosts = 40;
    for (int i = 0; i < hosts; i++) {
      IpAddress address = IpAddress.of("10.0.0." + (i + 1));
      Host host = new Host(simulation, new HostConfig("host " + i, 2, 1, List.of(address), 0));
      host.attach(Link.in(simulation).rateBps(100_000_000L).propagationNanos(9 * MILLI).to(access));
      board.add(host);
      sinks.add(TcpSink.listen(TcpStack.on(host, TcpConfig.defaults(), 100 + i), 80));
      TcpBulkSender.to(serverTcp, address, 80).startNanos(i * 3 * MILLI).start();
    }
    simulation.runUntil(2 * SECOND);
    sinks.forEach(TcpSink::resetStatistics);
    node.resetStatistics();
    simulation.runUntil(8 * SECOND);
    assertThat(access.statistics().utilisation()).isGreaterThan(0.99);
    assertThat(access.statistics().tailDropPackets()).isPositive();
    double goodput = sinks.stream().mapToDouble(TcpSink::goodputBps).sum();
    assertThat(goodput).isBetween(0.93e8, 1e8);
    assertThat(device.pipeline().outstanding()).isLessThan(200);
    assertThat(board.unknownDestination()).isZero();
  }
}
