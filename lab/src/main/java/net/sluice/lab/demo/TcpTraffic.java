package net.sluice.lab.demo;

import java.util.Arrays;
import java.util.List;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.Link;
import net.sluice.emulator.netsim.Prng;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.netsim.host.Host;
import net.sluice.emulator.netsim.host.HostConfig;
import net.sluice.emulator.netsim.host.IpAddress;
import net.sluice.emulator.netsim.host.tcp.TcpBulkSender;
import net.sluice.emulator.netsim.host.tcp.TcpConfig;
import net.sluice.emulator.netsim.host.tcp.TcpSink;
import net.sluice.emulator.netsim.host.tcp.TcpStack;
import net.sluice.emulator.netsim.traffic.FlowTag;

/**
 * A TCP flow from a host where their traffic comes in to each subscriber of a population's last
 * group. Data goes through the switch; acknowledgements return beside it, where nothing would hold
 * them up, and take the round-trip time.
 */
final class TcpTraffic {
  private static final int PORT = 5_001;
  private static final long SENDER_MAC = 0x02_00_00_02_00_00L;

  /** 198.18.0.0, for measurements (RFC 2544). */
  private static final long FIRST_SENDER = 0xc6_12_00_00L;

  /** Flows begin within this time. */
  private static final long STARTS_NANOS = 100_000_000;

  private static final long STARTS_STREAM = 2;
  private static final long SENDER_STREAMS = 1_000;
  private static final long RECEIVER_STREAMS = 2_000_000;

  private final int first;
  private final Host[] receivers;
  private final long[] sentPackets;

  /** Flows that begin soon after virtual time 0. */
  TcpTraffic(
      RunSpec.TcpSpec spec, Population population, EmulatedNetwork network, DemoNetwork.Way way) {
    int last = population.groups().size() - 1;
    first = population.firstOf(last);
    int flows = population.size() - first;
    receivers = new Host[flows];
    sentPackets = new long[flows];
    Simulation simulation = network.simulation();
    SwitchPort entry = network.port(way.entry());
    long subscriberMac = way.exit().port().destinationMac();
    TcpConfig config = TcpConfig.defaults().withEcn(spec.ecn());
    Prng random = simulation.random(STARTS_STREAM);
    for (int flow = 0; flow < flows; flow++) {
      int index = flow;
      IpAddress subscriber = IpAddress.of(text(population.address(first + flow)));
      Host sender =
          host(
              simulation,
              SENDER_MAC,
              subscriberMac,
              new IpAddress(false, 0, FIRST_SENDER + flow + 1),
              first + flow);
      Host receiver = host(simulation, subscriberMac, SENDER_MAC, subscriber, first + flow);
      sender.attach(
          (bytes, offset, length, tag, nowNanos) -> {
            sentPackets[index]++;
            entry.receive(bytes, offset, length, tag, nowNanos);
          });
      receiver.attach(Link.in(simulation).propagationNanos(spec.rttNanos()).to(sender));
      receivers[flow] = receiver;
      TcpSink.listen(TcpStack.on(receiver, config, RECEIVER_STREAMS + flow), PORT);
      TcpBulkSender.to(TcpStack.on(sender, config, SENDER_STREAMS + flow), subscriber, PORT)
          .startNanos((long) (random.nextDouble() * STARTS_NANOS))
          .start();
    }
  }

  private static Host host(
      Simulation simulation, long mac, long nextHopMac, IpAddress address, int flowId) {
    return new Host(
        simulation, new HostConfig(address.toString(), mac, nextHopMac, List.of(address), flowId));
  }

  private static String text(byte[] address) {
    return (address[0] & 0xff)
        + "."
        + (address[1] & 0xff)
        + "."
        + (address[2] & 0xff)
        + "."
        + (address[3] & 0xff);
  }

  /** A receiver behind the bottleneck: all frames go to {@code meter}, those of flows on. */
  FrameReceiver behind(FrameReceiver meter) {
    return (bytes, offset, length, tag, nowNanos) -> {
      meter.receive(bytes, offset, length, tag, nowNanos);
      int flow = FlowTag.flowId(tag) - first;
      if (flow >= 0) {
        receivers[flow].receive(bytes, offset, length, tag, nowNanos);
      }
    };
  }

  /** Number of flows. */
  int flows() {
    return receivers.length;
  }

  /** Packets of a flow, 0 to one less than there are, towards its subscriber since the reset. */
  long sentPackets(int flow) {
    return sentPackets[flow];
  }

  /** Resets the counts, at the end of the warm-up. */
  void resetStatistics() {
    Arrays.fill(sentPackets, 0);
  }
}
