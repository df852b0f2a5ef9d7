package net.sluice.lab.experiment.codelact;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.Link;
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
import net.sluice.emulator.netsim.traffic.ArrivalProcess;
import net.sluice.emulator.netsim.traffic.FlowSink;
import net.sluice.emulator.netsim.traffic.FlowSpec;
import net.sluice.emulator.netsim.traffic.FrameBuilder;
import net.sluice.emulator.netsim.traffic.TrafficSource;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.model.policy.BuiltInFunction;

/** One run of Gold and Silver subscribers behind one line. */
final class ValuesRun {
  /** Virtual time at which traffic begins: registers that hold 0 are long past by then. */
  private static final long BEGIN_NANOS = 2_000_000_000L;

  private static final long WARM_UP_NANOS = 5_000_000_000L;

  /** As many as a Tofino's packet buffer has. */
  private static final long BUFFER_BYTES = 22_000_000;

  private static final long SAMPLE_NANOS = CellResult.SAMPLE_MILLIS * 1_000_000L;

  /** Samples in a quarter of a second. */
  private static final int WINDOW = 250 / CellResult.SAMPLE_MILLIS;

  private static final int FRAME_BYTES = 1_250;
  private static final long RTT_NANOS = 20_000_000;

  /** Flows begin so long after each other. */
  private static final long STAGGER_NANOS = 5_000_000;

  private static final int PORT = 5_201;
  private static final long CORE_MAC = 0x02_00_00_00_00_01L;
  private static final long HOME_MAC = 0x02_00_00_00_00_02L;
  private static final long FIRST_SERVER = 0xcb_00_71_01L;
  private static final double BITS_PER_BYTE = 8;

  private final Simulation simulation;
  private final SwitchPort core;
  private final SwitchPort line;
  private final SwitchNode node;

  private ValuesRun(ValuesColumn column, long seed) {
    simulation = new Simulation(seed);
    ManagedSwitch device = new ManagedSwitch(seed);
    device.forwardTo(
        HOME_MAC,
        ValuesTraffic.policies(),
        column.byValue() ? OptionalLong.of(ValuesTraffic.LINE_BPS) : OptionalLong.empty());
    if (column.codel()) {
      device.manage(AqmKind.CODEL_ACT, false);
    }
    node = new SwitchNode(simulation, device.device());
    core = node.addPort(ManagedSwitch.CORE_PORT, LineClock.UNLIMITED_BPS, BUFFER_BYTES);
    line = node.addPort(ManagedSwitch.ACCESS_PORT, ValuesTraffic.LINE_BPS, BUFFER_BYTES);
    node.addPort(ManagedSwitch.MIRROR_PORT, LineClock.UNLIMITED_BPS, BUFFER_BYTES);
  }

  /** Bytes that arrived for subscribers since the last reset. */
  private interface Arrivals {
    long bytes(int subscriber);

    void reset();
  }

  /**
   * Runs.
   *
   * @param seconds virtual seconds to measure, after a warm-up of five
   * @param seed of everything random
   */
  static ValuesResult run(ValuesTraffic traffic, ValuesColumn column, double seconds, long seed) {
    ValuesRun run = new ValuesRun(column, seed);
    return run.measure(traffic == ValuesTraffic.UDP ? run.datagrams() : run.flows(), seconds);
  }

  /** Packets that a run takes about. */
  static double packets(ValuesTraffic traffic, double seconds) {
    double bps =
        traffic == ValuesTraffic.UDP
            ? 2.0 * ValuesTraffic.EACH * ValuesTraffic.OFFERED_BPS
            : ValuesTraffic.LINE_BPS;
    return (WARM_UP_NANOS / 1e9 + seconds) * bps / (BITS_PER_BYTE * FRAME_BYTES);
  }

  private Arrivals datagrams() {
    TrafficSource source = new TrafficSource(simulation, core, 1);
    FlowSink sink = new FlowSink();
    line.connect(sink);
    for (IpAddress home : ValuesTraffic.policies().keySet()) {
      source.addFlow(
          new FlowSpec(
              new FrameBuilder()
                  .addresses("203.0.113.1", home.toString())
                  .frameBytes(FRAME_BYTES)
                  .build(),
              ValuesTraffic.OFFERED_BPS,
              BEGIN_NANOS,
              Long.MAX_VALUE,
              ArrivalProcess.poisson()));
    }
    return new Arrivals() {
      @Override
      public long bytes(int subscriber) {
        return sink.deliveredBytes(subscriber);
      }

      @Override
      public void reset() {
        sink.resetStatistics();
      }
    };
  }

  /** Acknowledgements return beside the switch. */
  private Arrivals flows() {
    HostDemultiplexer homes = new HostDemultiplexer();
    line.connect(homes);
    List<TcpSink> sinks = new ArrayList<>();
    for (IpAddress address : ValuesTraffic.policies().keySet()) {
      int flow = sinks.size();
      Host home = host("home " + flow, HOME_MAC, CORE_MAC, address, flow);
      Host server =
          host(
              "server " + flow,
              CORE_MAC,
              HOME_MAC,
              new IpAddress(false, 0, FIRST_SERVER + flow),
              flow);
      homes.add(address, home);
      home.attach(Link.in(simulation).propagationNanos(RTT_NANOS / 2).to(server));
      server.attach(Link.in(simulation).propagationNanos(RTT_NANOS / 2).to(core));
      sinks.add(TcpSink.listen(TcpStack.on(home, TcpConfig.defaults(), 2L * flow), PORT));
      TcpBulkSender.to(TcpStack.on(server, TcpConfig.defaults(), 2L * flow + 1), address, PORT)
          .startNanos(BEGIN_NANOS + flow * STAGGER_NANOS)
          .start();
    }
    return new Arrivals() {
      @Override
      public long bytes(int subscriber) {
        return sinks.get(subscriber).bytes();
      }

      @Override
      public void reset() {
        sinks.forEach(TcpSink::resetStatistics);
      }
    };
  }

  private Host host(String name, long mac, long otherMac, IpAddress address, int flow) {
    return new Host(simulation, new HostConfig(name, mac, otherMac, List.of(address), flow));
  }

  private ValuesResult measure(Arrivals arrivals, double seconds) {
    int warmUp = (int) (WARM_UP_NANOS / SAMPLE_NANOS);
    int samples = warmUp + (int) Math.round(seconds * 1e9 / SAMPLE_NANOS);
    double[] delayMillis = new double[samples];
    double leastLine = 1;
    long sent = 0;
    for (int i = 0; i < samples; i++) {
      if (i == warmUp) {
        node.resetStatistics();
        arrivals.reset();
      }
      simulation.runUntil(BEGIN_NANOS + (i + 1) * SAMPLE_NANOS - 1);
      delayMillis[i] = millis(line.queueStatistics(0).bytes());
      if (i >= warmUp && (i + 1 - warmUp) % WINDOW == 0) {
        long now = line.statistics().sentBytes();
        double windowMillis = WINDOW * CellResult.SAMPLE_MILLIS;
        leastLine = Math.min(leastLine, millis(now - sent) / windowMillis);
        sent = now;
      }
    }
    double measured = (samples - warmUp) * SAMPLE_NANOS / 1e9;
    Map<IpAddress, BuiltInFunction> policies = ValuesTraffic.policies();
    double[] bps = new double[policies.size()];
    Arrays.setAll(bps, i -> arrivals.bytes(i) * BITS_PER_BYTE / measured);
    return new ValuesResult(
        line.statistics(),
        Arrays.copyOf(bps, ValuesTraffic.EACH),
        Arrays.copyOfRange(bps, ValuesTraffic.EACH, bps.length),
        leastLine,
        delayMillis);
  }

  /** How long the line takes for bytes, ms. */
  private static double millis(long bytes) {
    return bytes * BITS_PER_BYTE * 1e3 / ValuesTraffic.LINE_BPS;
  }
}
