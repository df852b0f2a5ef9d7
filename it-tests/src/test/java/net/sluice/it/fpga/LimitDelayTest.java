package net.sluice.it.fpga;

import static net.sluice.it.fpga.ShapedNetwork.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import java.util.OptionalInt;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.Link;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.host.Host;
import net.sluice.emulator.netsim.host.HostConfig;
import net.sluice.emulator.netsim.host.IpAddress;
import net.sluice.emulator.netsim.host.tcp.TcpBulkSender;
import net.sluice.emulator.netsim.host.tcp.TcpConfig;
import net.sluice.emulator.netsim.host.tcp.TcpSink;
import net.sluice.emulator.netsim.host.tcp.TcpStack;
import net.sluice.emulator.netsim.traffic.FlowTag;
import net.sluice.intents.model.Scope.OfSubscriber;
import net.sluice.intents.model.policy.LimitAqm;
import net.sluice.intents.model.policy.LimitDelay;
import org.junit.jupiter.api.Test;

/** What packets wait under a limit that the FPGA enforces, from declaration to departure. */
class LimitDelayTest {
  private static final long LIMIT_BPS = 20_000_000;
  private static final LimitDelay NONE =
      new LimitDelay(Optional.of(LimitAqm.NONE), OptionalInt.empty());
  private static final int PACKET_BYTES = 1_500;

  private final ShapedNetwork network = new ShapedNetwork();
  private double grantedBps;

  private void limit(LimitDelay delay) {
    network.subscriber("alice", 1, 0, 0);
    grantedBps = network.limit("cap", new OfSubscriber("alice"), LIMIT_BPS, delay);
  }

  private double millis(int bytes) {
    return bytes * 8e3 / grantedBps;
  }

  /** The longest wait under 16 flows of together 2.5 times the limit, in ms. */
  private double longestWaitOfAFlood() {
    LongSummaryStatistics waits = new LongSummaryStatistics();
    network.behind((bytes, offset, length, tag, nowNanos) -> waits.accept(nowNanos - tag));
    for (int flow = 0; flow < 16; flow++) {
      network.offer("alice", PACKET_BYTES, 2.5 * LIMIT_BPS / 16);
    }
    network.runFor(SECOND);
    return waits.getMax() / 1e6;
  }

  @Test
  void aFloodWaitsForTheLongestWaitAndAPacket() {
    limit(LimitDelay.UNSAID);
    assertThat(longestWaitOfAFlood()).isBetween(99.0, 100 + millis(2 * PACKET_BYTES));
  }

  @Test
  void aFloodWaitsAsLongAsItsLimitSays() {
    limit(new LimitDelay(Optional.empty(), OptionalInt.of(20)));
    assertThat(longestWaitOfAFlood()).isBetween(19.0, 20 + millis(2 * PACKET_BYTES));
  }

  @Test
  void aFloodWithoutAqmWaitsForTheWholeQueue() {
    limit(NONE);
    assertThat(longestWaitOfAFlood())
        .isCloseTo(millis(256 * 1024 + PACKET_BYTES), within(millis(2 * PACKET_BYTES)));
  }

  /** A packet on its way through the FPGA, which has its number for a tag. */
  private record Inside(long tag, long sinceNanos) {}

  /**
   * Mean wait of four Cubic flows with a round-trip time of 20 ms and more, in ms, from the fifth
   * second on, in which they use the limit.
   */
  private double meanWaitOfCubic() {
    Simulation simulation = network.simulation();
    List<Inside> packets = new ArrayList<>();
    FrameReceiver alice = network.queue("alice");
    FrameReceiver queue =
        (bytes, offset, length, tag, nowNanos) -> {
          alice.receive(bytes, offset, length, packets.size(), nowNanos);
          packets.add(new Inside(tag, nowNanos));
        };
    Host[] receivers = new Host[4];
    for (int flow = 0; flow < receivers.length; flow++) {
      IpAddress from = new IpAddress(false, 0, 0xc612_0001L + flow);
      IpAddress to = new IpAddress(false, 0, 0xc613_0001L + flow);
      Host sender = host(2, 3, from, flow);
      receivers[flow] = host(3, 2, to, flow);
      receivers[flow].attach(Link.in(simulation).propagationNanos(SECOND / 50).to(sender));
      sender.attach(queue);
      TcpSink.listen(TcpStack.on(receivers[flow], TcpConfig.defaults(), 4 + flow), 5_001);
      TcpBulkSender.to(TcpStack.on(sender, TcpConfig.defaults(), flow), to, 5_001)
          .startNanos(flow * SECOND / 100)
          .start();
    }
    LongSummaryStatistics waits = new LongSummaryStatistics();
    network.behind(
        (bytes, offset, length, number, nowNanos) -> {
          Inside packet = packets.get((int) number);
          if (nowNanos > 5 * SECOND) {
            waits.accept(nowNanos - packet.sinceNanos);
          }
          receivers[FlowTag.flowId(packet.tag)].receive(
              bytes, offset, length, packet.tag, nowNanos);
        });
    network.runFor(5 * SECOND);
    long before = network.bytesOf(List.of("alice"));
    network.runFor(10 * SECOND);
    assertThat((network.bytesOf(List.of("alice")) - before) * 8 / 10.0)
        .isGreaterThan(0.9 * grantedBps);
    return waits.getAverage() / 1e6;
  }

  private Host host(int side, int other, IpAddress address, int flow) {
    return new Host(
        network.simulation(),
        new HostConfig(
            address.toString(),
            0x02_00_00_00_00_00L | (long) side << 16 | flow,
            0x02_00_00_00_00_00L | (long) other << 16 | flow,
            List.of(address),
            flow));
  }

  @Test
  void codelKeepsTheMeanWaitOfCubicNearItsTarget() {
    limit(LimitDelay.UNSAID);
    assertThat(meanWaitOfCubic()).isBetween(3.0, 10.0);
  }

  @Test
  void withoutAqmCubicFillsTheQueue() {
    limit(NONE);
    assertThat(meanWaitOfCubic()).isGreaterThan(60);
  }
}
