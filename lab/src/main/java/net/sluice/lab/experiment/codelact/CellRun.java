package net.sluice.lab.experiment.codelact;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.Link;
import net.sluice.emulator.netsim.PortStatistics;
import net.sluice.emulator.netsim.Prng;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.netsim.host.Host;
import net.sluice.emulator.netsim.host.HostConfig;
import net.sluice.emulator.netsim.host.HostDemultiplexer;
import net.sluice.emulator.netsim.host.IpAddress;
import net.sluice.emulator.netsim.host.tcp.TcpBulkSender;
import net.sluice.emulator.netsim.host.tcp.TcpCbrSender;
import net.sluice.emulator.netsim.host.tcp.TcpConfig;
import net.sluice.emulator.netsim.host.tcp.TcpSink;
import net.sluice.emulator.netsim.host.tcp.TcpStack;
import net.sluice.emulator.netsim.host.tcp.congestion.CongestionAlgorithm;

/**
 * One run of a cell: a workstation's TCP flows through the switch, whose egress port is shaped to
 * the bottleneck's rate, as in paper 002, figure 15. Acknowledgements return beside the switch,
 * where nothing would hold them up.
 */
final class CellRun {
  /** Virtual time at which the flows begin: registers that hold 0 are long past by then. */
  private static final long BEGIN_NANOS = 2_000_000_000L;

  /** Rate of the workstation's interface; the paper does not name it. */
  private static final long INTERFACE_BPS = 10_000_000_000L;

  /** A Tofino's packet buffer: nothing is lost for want of room where an AQM works. */
  private static final long BUFFER_BYTES = 22_000_000;

  /** Preamble, FCS and gap of Ethernet. */
  private static final int OVERHEAD_BYTES = 24;

  /** Timer of iperf3 that lets streams go on: their starts differ by less. */
  private static final long TIMER_NANOS = 1_000_000;

  private static final long SAMPLE_NANOS = CellResult.SAMPLE_MILLIS * 1_000_000L;
  private static final int SEGMENT_BYTES = 1_448;

  /** TCP's, IPv4's and Ethernet's headers and the line's overhead. */
  private static final int HEADER_BYTES = 66 + OVERHEAD_BYTES;

  private static final int PORT = 5_201;
  private static final long CLIENT_MAC = 0x02_00_00_00_00_01L;
  private static final int RANDOM_STREAM = 1;
  private static final int SERVER_STREAM = 2;
  private static final int CLIENT_STREAMS = 100;
  private static final double BITS_PER_BYTE = 8;

  private final Cell cell;
  private final Column column;
  private final Senders senders;
  private final FlowMix mix;
  private final Simulation simulation;
  private final ManagedSwitch device;
  private final SwitchNode node;
  private final Prng random;

  private CellRun(Cell cell, Column column, Senders senders, FlowMix mix, long seed) {
    this.cell = cell;
    this.column = column;
    this.senders = senders;
    this.mix = mix;
    simulation = new Simulation(seed);
    device = new ManagedSwitch(seed);
    node = new SwitchNode(simulation, device.device());
    random = simulation.random(RANDOM_STREAM);
  }

  /**
   * Runs.
   *
   * @param seconds virtual seconds from the start of the flows
   * @param seed of the flows' round-trip times and starts
   */
  static CellResult run(
      Cell cell, Column column, Senders senders, FlowMix mix, double seconds, long seed) {
    return new CellRun(cell, column, senders, mix, seed).run(Math.round(seconds * 1e9));
  }

  /** Packets that a run takes about, if the line is full. */
  static double packets(Cell cell, double seconds) {
    return seconds * cell.rateBps() / (BITS_PER_BYTE * (SEGMENT_BYTES + HEADER_BYTES));
  }

  private CellResult run(long nanos) {
    if (column.beforeQueue()) {
      device.forwardDroppingAtRandom(ServerSide.ADDRESS, ServerSide.MAC, cell.rateBps());
    } else {
      device.forwardTo(ServerSide.ADDRESS, ServerSide.MAC);
    }
    column.kind().ifPresent(kind -> device.manage(kind, column.ecn()));
    SwitchPort core = node.addPort(ManagedSwitch.CORE_PORT, LineClock.UNLIMITED_BPS, BUFFER_BYTES);
    SwitchPort bottleneck = node.addPort(ManagedSwitch.ACCESS_PORT, cell.rateBps(), BUFFER_BYTES);
    bottleneck.setOverheadBytes(OVERHEAD_BYTES);
    node.addPort(ManagedSwitch.MIRROR_PORT, LineClock.UNLIMITED_BPS, BUFFER_BYTES);
    TcpConfig tcp = TcpConfig.defaults().withEcn(column.ecn());
    ServerSide server = new ServerSide(simulation, tcp);
    bottleneck.connect(server.host);
    FrameReceiver nic = Link.in(simulation).rateBps(INTERFACE_BPS).to(core);
    for (int flow = 0; flow < cell.flows(); flow++) {
      startFlow(flow, tcp, nic, server);
    }
    simulation.runUntil(BEGIN_NANOS - 1);
    int samples = (int) (nanos / SAMPLE_NANOS);
    double[] delayMillis = new double[samples];
    for (int i = 0; i < samples; i++) {
      simulation.runUntil(BEGIN_NANOS + (i + 1) * SAMPLE_NANOS - 1);
      delayMillis[i] = bottleneck.queueStatistics(0).bytes() * BITS_PER_BYTE / cell.rateBps() * 1e3;
    }
    simulation.runUntil(BEGIN_NANOS + nanos - 1);
    PortStatistics statistics = bottleneck.statistics();
    return new CellResult(
        nanos / 1e9,
        statistics.queueDelayNanos(),
        server.sink.bytes() * BITS_PER_BYTE * 1e9 / nanos,
        server.bbrBytes() * BITS_PER_BYTE * 1e9 / nanos,
        device.events(),
        device.belowThreshold() + statistics.tailDropPackets(),
        delayMillis);
  }

  private void startFlow(int flow, TcpConfig tcp, FrameReceiver nic, ServerSide server) {
    IpAddress address = new IpAddress(false, 0, 0xcb_00_71_00L + flow + 1);
    CongestionAlgorithm congestion = mix.of(flow);
    Host host =
        new Host(
            simulation,
            new HostConfig("client " + flow, CLIENT_MAC, ServerSide.MAC, List.of(address), flow));
    long rtt =
        nanos(cell.leastRttMillis())
            + (long) (random.nextDouble() * nanos(cell.mostRttMillis() - cell.leastRttMillis()));
    host.attach(Link.in(simulation).propagationNanos(rtt - rtt / 2).to(nic));
    server.answer(address, congestion, Link.in(simulation).propagationNanos(rtt / 2).to(host));
    TcpStack stack = TcpStack.on(host, tcp.withCongestion(congestion), CLIENT_STREAMS + flow);
    long start = BEGIN_NANOS + (long) (random.nextDouble() * TIMER_NANOS);
    long bps = cell.rateBps() * Senders.HELD_PERCENT / 100 / cell.flows();
    IpAddress to = ServerSide.ADDRESS;
    switch (senders) {
      case BLOCKS -> held(stack, to, bps, Senders.BLOCK_BYTES, start);
      case BLOCKS_APART -> {
        double period = Senders.BLOCK_BYTES * BITS_PER_BYTE * 1e9 / bps;
        held(stack, to, bps, Senders.BLOCK_BYTES, start + (long) (random.nextDouble() * period));
      }
      case SMOOTH -> held(stack, to, bps, SEGMENT_BYTES, start);
      case UNHELD -> TcpBulkSender.to(stack, to, PORT).startNanos(start).start();
    }
  }

  private static long nanos(double millis) {
    return Math.round(millis * 1e6);
  }

  /** Data that TCP does not keep up with waits, as it does for iperf3, which catches up. */
  private static void held(TcpStack stack, IpAddress to, long bps, int pieceBytes, long start) {
    TcpCbrSender.to(stack, to, PORT, bps)
        .pieceBytes(pieceBytes)
        .maxBacklogBytes(Long.MAX_VALUE)
        .startNanos(start)
        .start();
  }

  /** The server, and the way back from it. */
  private static final class ServerSide {
    static final IpAddress ADDRESS = IpAddress.of("10.0.0.1");
    static final long MAC = 0x02_00_00_00_00_02L;

    final Host host;
    final TcpSink sink;
    private final HostDemultiplexer back = new HostDemultiplexer();
    private final Set<IpAddress> bbrClients = new HashSet<>();

    ServerSide(Simulation simulation, TcpConfig tcp) {
      host = new Host(simulation, new HostConfig("server", MAC, CLIENT_MAC, List.of(ADDRESS), 0));
      host.attach(back);
      sink = TcpSink.listen(TcpStack.on(host, tcp, SERVER_STREAM), PORT);
    }

    void answer(IpAddress client, CongestionAlgorithm congestion, FrameReceiver way) {
      back.add(client, way);
      if (congestion == CongestionAlgorithm.BBR) {
        bbrClients.add(client);
      }
    }

    long bbrBytes() {
      return sink.flows().stream()
          .filter(flow -> bbrClients.contains(flow.remoteAddress()))
          .mapToLong(TcpSink.Flow::bytes)
          .sum();
    }
  }
}
