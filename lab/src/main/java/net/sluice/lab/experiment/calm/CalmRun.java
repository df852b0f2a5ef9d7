package net.sluice.lab.experiment.calm;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.Link;
import net.sluice.emulator.netsim.Prng;
import net.sluice.emulator.netsim.Simulation;
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
import net.sluice.intents.value.Direction;
import net.sluice.lab.experiment.calm.CalmCell.Bulk;
import org.HdrHistogram.Histogram;

/**
 * One run of a cell: heavy flows, a call and a game towards or from a subscriber under a limit.
 * Acknowledgements return beside it, and links have no rate: what waits, waits for the limit.
 */
final class CalmRun {
  /** A flood over its limit. */
  static final double FLOOD = 2.5;

  /** The mean rate of a flood's neighbour over its own limit. */
  static final double NEIGHBOUR = 0.8;

  private static final int LIGHT_HOST = 200;
  private static final long SUBSCRIBER_MAC = 0x02_00_00_00_00_02L;
  private static final long CLIENT_MAC = 0x02_00_00_00_00_01L;

  /** Virtual time at which the flows begin: registers that hold 0 are long past by then. */
  private static final long BEGIN_NANOS = 2_000_000_000L;

  /** Flows begin within this time. */
  private static final long STARTS_NANOS = 100_000_000;

  private static final int PORT = 5_201;
  private static final int CALL_PACKETS = 50;
  private static final int CALL_BYTES = 214;
  private static final int GAME_PACKETS = 60;
  private static final int GAME_BYTES = 128;
  private static final int LIGHT_FLOWS = 2;
  private static final int FLOOD_BYTES = 1_250;
  private static final int RANDOM_STREAM = 1;
  private static final int SERVER_STREAM = 2;
  private static final int LIGHT_STREAM = 3;
  private static final int NEIGHBOUR_STREAM = 4;
  private static final int CLIENT_STREAMS = 100;
  private static final double BITS_PER_BYTE = 8;
  private static final double NANOS = 1e9;

  /** No packet waits longer. */
  private static final long LONGEST_NANOS = 2_000_000_000L;

  /** Nor longer with AQM. */
  private static final long DRAIN_NANOS = 500_000_000;

  private static final int DIGITS = 3;

  private final CalmCell cell;
  private final Simulation simulation;
  private final Prng random;
  private final List<Histogram> waits = new ArrayList<>();
  private final long[] bytes;
  private final int neighbour;
  private long fromNanos = Long.MAX_VALUE;
  private long toNanos = Long.MAX_VALUE;

  private CalmRun(CalmCell cell, long seed) {
    this.cell = cell;
    simulation = new Simulation(seed);
    random = simulation.random(RANDOM_STREAM);
    neighbour = LIGHT_FLOWS + cell.flows();
    bytes = new long[neighbour + 1];
    for (int flow = 0; flow <= neighbour; flow++) {
      waits.add(new Histogram(LONGEST_NANOS, DIGITS));
    }
  }

  /**
   * Runs.
   *
   * @param warmUpSeconds virtual seconds before those that are measured
   * @param seconds virtual seconds that are measured
   * @param seed of everything random
   */
  static CalmResult run(
      CalmCell cell, CalmColumn column, double warmUpSeconds, double seconds, long seed) {
    return new CalmRun(cell, seed)
        .run(column, Math.round(warmUpSeconds * NANOS), Math.round(seconds * NANOS), seed);
  }

  private CalmResult run(CalmColumn column, long warmUpNanos, long nanos, long seed) {
    TcpConfig tcp = TcpConfig.defaults().withEcn(cell.ecn());
    Host server =
        new Host(
            simulation,
            new HostConfig(
                "server",
                SUBSCRIBER_MAC,
                CLIENT_MAC,
                List.of(address(receiver(LimitPlan.SUBSCRIBER), 1)),
                0));
    HostDemultiplexer back = new HostDemultiplexer();
    server.attach(back);
    boolean marks = cell.ecn() || cell.scalable(0);
    TcpSink.listen(TcpStack.on(server, tcp.withEcn(marks), SERVER_STREAM), PORT);
    FrameReceiver limited = open(column, seed, new Exit(server));
    FrameReceiver entry =
        (frame, offset, length, tag, now) ->
            limited.receive(frame, offset, length, FlowTag.of(FlowTag.flowId(tag), now), now);
    TrafficSource source = new TrafficSource(simulation, entry, LIGHT_STREAM);
    ArrivalProcess jitter = new ArrivalProcess.Cbr(true, 0.2);
    source.addFlow(udp(LimitPlan.SUBSCRIBER, 5_004, CALL_BYTES, CALL_PACKETS, jitter));
    source.addFlow(udp(LimitPlan.SUBSCRIBER, 27_015, GAME_BYTES, GAME_PACKETS, jitter));
    double limitPackets = cell.limitBps() / BITS_PER_BYTE / FLOOD_BYTES;
    TrafficSource beside =
        new TrafficSource(
            simulation,
            (frame, offset, length, tag, now) ->
                limited.receive(frame, offset, length, FlowTag.of(neighbour, now), now),
            NEIGHBOUR_STREAM);
    if (cell.bulk() == Bulk.FLOOD) {
      double packets = FLOOD * limitPackets / cell.flows();
      for (int flow = 0; flow < cell.flows(); flow++) {
        source.addFlow(udp(LimitPlan.SUBSCRIBER, 9_000 + flow, FLOOD_BYTES, packets, jitter));
      }
      if (column.switched()) {
        beside.addFlow(
            udp(
                LimitPlan.NEIGHBOUR,
                9_000,
                FLOOD_BYTES,
                NEIGHBOUR * limitPackets,
                ArrivalProcess.poisson()));
      }
    } else {
      for (int flow = 0; flow < cell.flows(); flow++) {
        startFlow(flow, tcp, entry, back);
      }
    }
    fromNanos = BEGIN_NANOS + warmUpNanos;
    toNanos = fromNanos + nanos;
    simulation.runUntil(fromNanos - 1);
    source.resetStatistics();
    beside.resetStatistics();
    simulation.runUntil(toNanos - 1);
    double lights = source.offeredPackets(0) + source.offeredPackets(1);
    long others = beside.flows() == 0 ? 0 : beside.offeredPackets(0);
    // What came last may still wait.
    simulation.runUntil(toNanos + (column == CalmColumn.BEFORE ? LONGEST_NANOS : DRAIN_NANOS));
    return result(lights, others, nanos);
  }

  private CalmResult result(double lights, long others, long nanos) {
    Histogram light = waits.get(0).copy();
    light.add(waits.get(1));
    double bps = BITS_PER_BYTE * NANOS / nanos;
    return new CalmResult(
        light,
        1 - light.getTotalCount() / lights,
        List.copyOf(waits.subList(LIGHT_FLOWS, neighbour)),
        IntStream.range(LIGHT_FLOWS, neighbour).mapToDouble(flow -> bytes[flow] * bps).toArray(),
        IntStream.range(0, neighbour).mapToLong(flow -> bytes[flow]).sum() * bps,
        others - waits.get(neighbour).getTotalCount(),
        waits.get(neighbour));
  }

  private static IpAddress address(int first, int host) {
    return new IpAddress(false, 0, Integer.toUnsignedLong(first + host));
  }

  /** The side that a subscriber's packets come from, or go to. */
  private int sender(int subscriber) {
    return cell.direction() == Direction.DOWN ? LimitPlan.BEYOND : subscriber;
  }

  private int receiver(int subscriber) {
    return cell.direction() == Direction.DOWN ? subscriber : LimitPlan.BEYOND;
  }

  private FrameReceiver open(CalmColumn column, long seed, CalmExit exit) {
    return switch (column) {
      case NOW -> program(true, seed, exit);
      case BEFORE -> program(false, seed, exit);
      case REFERENCE -> ReferenceLine.flowQueues(simulation, cell.limitBps(), seed, exit);
      case ONE_QUEUE -> ReferenceLine.oneQueue(simulation, cell.limitBps(), exit);
    };
  }

  private FrameReceiver program(boolean calm, long seed, CalmExit exit) {
    LimitPlan plan = LimitPlan.of(cell, calm, SUBSCRIBER_MAC);
    return new LimitedSwitch(simulation, cell, plan, seed, exit).entry();
  }

  private FlowSpec udp(
      int subscriber, int port, int frameBytes, double packets, ArrivalProcess arrivals) {
    return new FlowSpec(
        new FrameBuilder()
            .macs(CLIENT_MAC, SUBSCRIBER_MAC)
            .addresses(
                address(sender(subscriber), LIGHT_HOST).toString(),
                address(receiver(subscriber), 1).toString())
            .ports(port, port)
            .frameBytes(frameBytes)
            .build(),
        Math.round(packets * frameBytes * BITS_PER_BYTE),
        BEGIN_NANOS,
        Long.MAX_VALUE,
        arrivals);
  }

  private void startFlow(int flow, TcpConfig tcp, FrameReceiver entry, HostDemultiplexer back) {
    IpAddress address = address(sender(LimitPlan.SUBSCRIBER), flow + 1);
    CongestionAlgorithm congestion =
        cell.scalable(flow)
            ? CongestionAlgorithm.PRAGUE
            : cell.bulk() == Bulk.BBR ? CongestionAlgorithm.BBR : CongestionAlgorithm.CUBIC;
    Host host =
        new Host(
            simulation,
            new HostConfig(
                "client " + flow,
                CLIENT_MAC,
                SUBSCRIBER_MAC,
                List.of(address),
                flow + LIGHT_FLOWS));
    long rtt = Math.round(cell.rttMillis() * 1e6);
    host.attach(Link.in(simulation).propagationNanos(rtt - rtt / 2).to(entry));
    back.add(address, Link.in(simulation).propagationNanos(rtt / 2).to(host));
    TcpStack stack =
        TcpStack.on(
            host,
            tcp.withCongestion(congestion).withEcn(cell.ecn() || cell.scalable(flow)),
            CLIENT_STREAMS + flow);
    TcpBulkSender.to(stack, address(receiver(LimitPlan.SUBSCRIBER), 1), PORT)
        .startNanos(BEGIN_NANOS + (long) (random.nextDouble() * STARTS_NANOS))
        .start();
  }

  /** Measures what leaves, and brings TCP's packets to the subscriber's host. */
  private final class Exit implements CalmExit {
    private final Host server;

    Exit(Host server) {
      this.server = server;
    }

    @Override
    public void sent(long tag, int length, long waitNanos) {
      int flow = FlowTag.flowId(tag);
      long now = simulation.nowNanos();
      if (now >= fromNanos && now < toNanos) {
        bytes[flow] += length;
      }
      long came = now - waitNanos;
      if (came >= fromNanos && came < toNanos) {
        waits.get(flow).recordValue(Math.min(waitNanos, LONGEST_NANOS));
      }
    }

    @Override
    public void receive(byte[] frame, int offset, int length, long tag, long nowNanos) {
      if (FlowTag.flowId(tag) >= LIGHT_FLOWS && cell.bulk() != Bulk.FLOOD) {
        server.receive(frame, offset, length, tag, nowNanos);
      }
    }
  }
}
