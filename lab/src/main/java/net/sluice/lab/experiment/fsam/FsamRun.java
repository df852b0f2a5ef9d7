package net.sluice.lab.experiment.fsam;

import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.Link;
import net.sluice.emulator.netsim.Prng;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.netsim.host.Host;
import net.sluice.emulator.netsim.host.HostConfig;
import net.sluice.emulator.netsim.host.HostDemultiplexer;
import net.sluice.emulator.netsim.host.IpAddress;
import net.sluice.emulator.netsim.host.tcp.TcpBulkSender;
import net.sluice.emulator.netsim.host.tcp.TcpConfig;
import net.sluice.emulator.netsim.host.tcp.TcpSink;
import net.sluice.emulator.netsim.host.tcp.TcpStack;
import net.sluice.emulator.netsim.host.tcp.congestion.CongestionAlgorithm;
import net.sluice.emulator.netsim.traffic.ArrivalProcess;
import net.sluice.emulator.netsim.traffic.FlowSpec;
import net.sluice.emulator.netsim.traffic.FlowTag;
import net.sluice.emulator.netsim.traffic.FrameBuilder;
import net.sluice.emulator.netsim.traffic.TrafficSource;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.aggregate.Aggregate;
import net.sluice.intents.model.aggregate.AggregateMarker;

/**
 * One run: the sources of an aggregate, an edge switch that marks, a core switch with RIO before
 * the bottleneck, and the sinks, as in paper 003, figure 1. Acknowledgements return beside the
 * switches.
 */
final class FsamRun {
  static final long BOTTLENECK_BPS = 5_000_000;

  /** Frames of UDP, and of full TCP segments. */
  static final int FRAME_BYTES = 1_000;

  static final long SINK_MAC = 0x02_00_00_00_00_02L;

  /** Virtual time at which the flows begin: registers that hold 0 are long past by then. */
  private static final long BEGIN_NANOS = 20_000_000_000L;

  private static final long LINK_BPS = 10_000_000;
  private static final long LINK_NANOS = 5_000_000;

  /** Links from a source to a sink. */
  private static final int LINKS = 4;

  /** RIO drops long before this. */
  private static final long BUFFER_BYTES = 1_000_000;

  /** Flows begin within this time. */
  private static final long START_NANOS = 100_000_000;

  /** Ethernet's, IPv4's and TCP's headers, without options. */
  private static final int HEADER_BYTES = 14 + 20 + 20;

  /** ns-2's greatest window. */
  private static final int WINDOW_PACKETS = 20;

  private static final long MOUSE_BYTES = 20_000;
  private static final double MOUSE_SECONDS = 1;

  private static final long SOURCE_MAC = 0x02_00_00_00_00_01L;
  private static final int PORT = 5_001;
  private static final int RANDOM_STREAM = 1;
  private static final int SINK_STREAM = 2;
  private static final int SOURCE_STREAMS = 100;
  private static final long SOURCES = 0x0a_01_00_00L;
  private static final long BACKGROUNDS = 0x0a_02_00_00L;
  private static final IpAddress SINK = IpAddress.of("203.0.113.1");
  private static final IpPrefix SINKS = IpPrefix.parse("203.0.113.0/24");
  private static final double NANOS = 1e9;
  private static final double BITS_PER_BYTE = 8;

  private final Setup setup;
  private final Simulation simulation;
  private final Prng random;
  private final TcpConfig tcp =
      TcpConfig.defaults()
          .withCongestion(CongestionAlgorithm.NEW_RENO)
          .withSack(false)
          .withPartialAcks(false)
          .withInitialSegments(1)
          .withTimeWaitNanos(0)
          .withTimestamps(false)
          .withDelayedAckNanos(0)
          .withMaxSegmentBytes(FRAME_BYTES - HEADER_BYTES)
          .withReceiveBufferBytes(WINDOW_PACKETS * (FRAME_BYTES - HEADER_BYTES));
  private final Host sink;
  private final HostDemultiplexer back = new HostDemultiplexer();
  private final FrameReceiver edge;
  private final long[] in;
  private final long[] out;
  private final long[] deliveredBytes;
  private final List<List<TcpBulkSender>> mice = new ArrayList<>();
  private final List<TrafficSource> udp = new ArrayList<>();

  private FsamRun(Setup setup, AggregateMarker marker, long seed) {
    this.setup = setup;
    int flows = setup.sources().size() + setup.background();
    in = new long[flows];
    out = new long[flows];
    deliveredBytes = new long[flows];
    simulation = new Simulation(seed);
    random = simulation.random(RANDOM_STREAM);
    sink = new Host(simulation, new HostConfig("sink", SINK_MAC, SOURCE_MAC, List.of(SINK), 0));
    sink.attach(back);
    TcpSink.listen(TcpStack.on(sink, tcp, SINK_STREAM), PORT);

    SwitchNode core = new SwitchNode(simulation, DiffservSwitch.core(seed, SINKS).device());
    SwitchPort coreIn = core.addPort(DiffservSwitch.IN_PORT, LineClock.UNLIMITED_BPS, BUFFER_BYTES);
    SwitchPort bottleneck = core.addPort(DiffservSwitch.OUT_PORT, BOTTLENECK_BPS, BUFFER_BYTES);
    bottleneck.connect(Link.in(simulation).propagationNanos(2 * LINK_NANOS).to(this::deliver));

    Aggregate aggregate =
        Aggregate.up(setup.committedBps(), Setup.bytes(setup.burstBits()), marker);
    SwitchNode marking =
        new SwitchNode(
            simulation,
            DiffservSwitch.edge(seed, IpPrefix.parse("10.1.0.0/16"), SINKS, aggregate).device());
    SwitchPort edgeIn =
        marking.addPort(DiffservSwitch.IN_PORT, LineClock.UNLIMITED_BPS, BUFFER_BYTES);
    SwitchPort edgeOut = marking.addPort(DiffservSwitch.OUT_PORT, LINK_BPS, BUFFER_BYTES);
    FrameReceiver link = Link.in(simulation).propagationNanos(LINK_NANOS).to(coreIn);
    edgeOut.connect(
        (bytes, offset, length, tag, now) -> {
          count(bytes[offset + 15] >> 2 & 0x3f, FlowTag.flowId(tag));
          link.receive(bytes, offset, length, tag, now);
        });
    edge = edgeIn;
  }

  /** Runs. */
  static FsamResult run(Setup setup, AggregateMarker marker, long seed) {
    return new FsamRun(setup, marker, seed).run();
  }

  private FsamResult run() {
    int sources = setup.sources().size();
    for (int i = 0; i < sources; i++) {
      start(i, setup.sources().get(i));
    }
    for (int i = 0; i < setup.background(); i++) {
      bulk(sources + i, BACKGROUNDS + i + 1);
    }
    long end = BEGIN_NANOS + Math.round(setup.seconds() * NANOS);
    simulation.runUntil(end - 1);
    List<FsamResult.Flow> flows = new ArrayList<>();
    int crowd = 0;
    for (int i = 0; i < sources; i++) {
      Source source = setup.sources().get(i);
      double rates = 0;
      int finished = 0;
      if (source.kind() == Source.Kind.MICE) {
        for (TcpBulkSender mouse : mice.get(crowd++)) {
          if (mouse.closedNanos() >= 0) {
            finished++;
            rates +=
                MOUSE_BYTES
                    * BITS_PER_BYTE
                    * NANOS
                    / (mouse.closedNanos() - mouse.establishedNanos());
          }
        }
      }
      flows.add(
          new FsamResult.Flow(
              source,
              in[i],
              out[i],
              deliveredBytes[i] * BITS_PER_BYTE / setup.seconds(),
              finished,
              finished == 0 ? Double.NaN : rates / finished));
    }
    return new FsamResult(flows);
  }

  private void start(int flow, Source source) {
    long address = SOURCES + flow + 1;
    switch (source.kind()) {
      case LONG -> bulk(flow, address);
      case MICE -> {
        TcpStack stack = stack(flow, address);
        List<TcpBulkSender> transfers = new ArrayList<>();
        double at = 0;
        while (true) {
          at += random.nextExponential() * MOUSE_SECONDS;
          if (at >= setup.seconds()) {
            break;
          }
          transfers.add(
              TcpBulkSender.to(stack, SINK, PORT)
                  .bytes(MOUSE_BYTES)
                  .startNanos(BEGIN_NANOS + Math.round(at * NANOS))
                  .start());
        }
        mice.add(transfers);
      }
      case UDP -> {
        FrameBuilder frame =
            new FrameBuilder()
                .macs(SOURCE_MAC, SINK_MAC)
                .addresses(bytes(address), bytes(0xcb_00_71_02L))
                .dscp(source.dscp())
                .frameBytes(FRAME_BYTES);
        FrameReceiver line = line();
        TrafficSource traffic =
            new TrafficSource(
                simulation,
                (bytes, offset, length, tag, now) ->
                    line.receive(bytes, offset, length, FlowTag.of(flow, now), now),
                SOURCE_STREAMS + flow);
        traffic.addFlow(
            new FlowSpec(
                frame.build(),
                source.udpBps().getAsLong(),
                startNanos(),
                Long.MAX_VALUE,
                new ArrivalProcess.Cbr(true, 1)));
        udp.add(traffic);
      }
    }
  }

  private void bulk(int flow, long address) {
    TcpBulkSender.to(stack(flow, address), SINK, PORT).startNanos(startNanos()).start();
  }

  private long startNanos() {
    return BEGIN_NANOS + (long) (random.nextDouble() * START_NANOS);
  }

  private TcpStack stack(int flow, long address) {
    IpAddress own = new IpAddress(false, 0, address);
    Host host =
        new Host(
            simulation, new HostConfig("source " + flow, SOURCE_MAC, SINK_MAC, List.of(own), flow));
    host.attach(line());
    back.add(own, Link.in(simulation).propagationNanos(LINKS * LINK_NANOS).to(host));
    return TcpStack.on(host, tcp, SOURCE_STREAMS + flow);
  }

  private FrameReceiver line() {
    return Link.in(simulation).rateBps(LINK_BPS).propagationNanos(LINK_NANOS).to(edge);
  }

  private void count(int dscp, int flow) {
    if (dscp == Aggregate.IN_DSCP) {
      in[flow]++;
    } else if (dscp == Aggregate.OUT_DSCP) {
      out[flow]++;
    }
  }

  private void deliver(byte[] bytes, int offset, int length, long tag, long nowNanos) {
    deliveredBytes[FlowTag.flowId(tag)] += length;
    sink.receive(bytes, offset, length, tag, nowNanos);
  }

  private static byte[] bytes(long address) {
    return new byte[] {
      (byte) (address >> 24), (byte) (address >> 16), (byte) (address >> 8), (byte) address
    };
  }
}
