package net.sluice.emulator.ports;

import io.grpc.ServerCredentials;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.LineErrors;
import net.sluice.emulator.netsim.PortStatistics;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.server.gnmi.GnmiClock;
import net.sluice.emulator.server.gnmi.GnmiEndpoint;
import net.sluice.emulator.server.gnmi.GnmiServer;
import net.sluice.emulator.switching.SwitchDevice;

/**
 * A switch on real ports in real time: a frame's arrival is stamped when it is taken from the
 * kernel, and a port with a rate sends each frame when its line is free. One thread switches all
 * ports, in {@link #run}; it sleeps when there is nothing to do.
 */
public final class RealTimeSwitch implements AutoCloseable {
  /**
   * Most that a packet which goes round is held back while virtual time lags. Limits that the
   * program shapes give up the order of packets that are late by 268 ms.
   */
  private static final long LONGEST_TURN_NANOS = 50_000_000;

  private final Simulation simulation;
  private final SwitchNode node;
  private final RealTimeNetwork network;
  private final List<Port> ports = new ArrayList<>();
  private final List<SwitchPort> loops = new ArrayList<>();

  private record Port(SwitchPort inside, NetworkPort outside) {}

  /**
   * Counts of a port.
   *
   * @param number of the switch's port
   * @param name of the interface
   * @param inside counters of the switch's port
   * @param outside counters of its interface
   */
  public record PortReport(
      int number, String name, PortStatistics inside, NetworkPortStatistics outside) {}

  /** Counts of a port by which packets go round. */
  public record LoopReport(int number, PortStatistics inside) {}

  /**
   * A switch without ports.
   *
   * @param seed of the traffic manager's simulation
   */
  public RealTimeSwitch(SwitchDevice device, long seed) {
    simulation = new Simulation(seed);
    node = new SwitchNode(simulation, device);
    network = new RealTimeNetwork(simulation, Long.MAX_VALUE);
    node.followRealTime(network::nowNanos, network::wakeUp);
    node.turnNoEarlierThan(
        () -> Math.min(network.advancingTo(), simulation.nowNanos() + LONGEST_TURN_NANOS) + 1);
  }

  /** As {@link #addPort(int, NetworkPort, long, long, long)}, with a line without delay. */
  public void addPort(int number, NetworkPort outside, long rateBps, long queueLimitBytes) {
    addPort(number, outside, rateBps, queueLimitBytes, 0);
  }

  /**
   * Cables a port, which is closed with the switch; before {@link #run}.
   *
   * @param number as {@link SwitchNode#addPort} has it, rate and limit too
   * @param rateBps bit/s, or {@link net.sluice.emulator.netsim.LineClock#UNLIMITED_BPS}
   * @param delayNanos delay of the port's line, in either direction, at least 0
   */
  public void addPort(
      int number, NetworkPort outside, long rateBps, long queueLimitBytes, long delayNanos) {
    addPort(number, outside, rateBps, queueLimitBytes, delayNanos, null);
  }

  /**
   * As {@link #addPort(int, NetworkPort, long, long, long)}, with captures of the port.
   *
   * @param recording null for none; closed by the caller
   */
  public void addPort(
      int number,
      NetworkPort outside,
      long rateBps,
      long queueLimitBytes,
      long delayNanos,
      PortRecording recording) {
    SwitchPort inside = node.addPort(number, rateBps, queueLimitBytes);
    RealTimeNetwork.Cable cable = network.cable(outside, delayNanos);
    FrameReceiver inwards =
        (bytes, offset, length, tag, nowNanos) -> {
          if (!inside.linkUp()) {
            // A received frame proves that there is a link, whatever the last poll found.
            inside.setLinkUp(true);
          }
          inside.receive(bytes, offset, length, tag, nowNanos);
        };
    inside.connect(recording == null ? cable : recording.outgoing(cable));
    cable.connect(recording == null ? inwards : recording.incoming(inwards));
    cable.onHeldBack(inside::setHeldBack);
    cable.onExpected(node::expect);
    inside.setLineErrors(errors(outside));
    ports.add(new Port(inside, outside));
  }

  /**
   * Adds a port without an interface, by which packets go round that the program recirculates;
   * before {@link #run}.
   *
   * @param number as {@link SwitchNode#addPort} has it, rate and limit too
   * @param rateBps bit/s
   */
  public void addLoop(int number, long rateBps, long queueLimitBytes) {
    loops.add(node.addPort(number, rateBps, queueLimitBytes));
  }

  private static LineErrors errors(NetworkPort outside) {
    return new LineErrors() {
      @Override
      public long inErrors() {
        return outside.statistics().unusableFrames();
      }

      @Override
      public long inDiscards() {
        return outside.statistics().kernelDrops();
      }

      @Override
      public long outErrors() {
        return outside.statistics().unsentFrames();
      }
    };
  }

  /**
   * Serves gNMI for the ports, which have the names of their interfaces; after all have been added.
   *
   * @param address where to listen; port 0 picks a free one
   * @param credentials TLS credentials, or plain text
   * @throws IOException if it cannot listen there
   */
  public GnmiServer serveGnmi(InetSocketAddress address, ServerCredentials credentials)
      throws IOException {
    return GnmiServer.start(
        simulation,
        node,
        names(),
        GnmiClock.wall(simulation),
        network::wakeUp,
        address,
        credentials);
  }

  /** gNMI for the ports, to be served beside another service; after all are added. */
  public GnmiEndpoint gnmi() {
    return new GnmiEndpoint(simulation, node, names(), GnmiClock.wall(simulation), network::wakeUp);
  }

  private Map<Integer, String> names() {
    Map<Integer, String> names = new HashMap<>();
    ports.forEach(port -> names.put(port.inside().number(), port.outside().name()));
    loops.forEach(loop -> names.put(loop.number(), "loop" + loop.number()));
    return names;
  }

  /** Follows the links of the interfaces until closed. */
  public LinkMonitor watchLinks() {
    return LinkMonitor.start(
        simulation,
        ports.stream().map(port -> new LinkMonitor.Watched(port.inside(), port.outside())).toList(),
        network::wakeUp);
  }

  /** Changes the ports' configuration. Any thread. */
  public void configure(Consumer<SwitchNode> change) {
    simulation.execute(() -> change.accept(node));
    network.wakeUp();
  }

  /** Reads the ports' state. Any thread. */
  public <T> T query(Function<SwitchNode, T> question) {
    return simulation.query(() -> question.apply(node));
  }

  /** Switches frames until {@link #stop} is called; once, on a thread of its own. */
  public void run() {
    network.run();
  }

  /** Number of times it has slept. */
  long waits() {
    return network.waits();
  }

  /** Makes {@link #run} return, soon. Any thread. */
  public void stop() {
    network.stop();
  }

  /** The counts of each port so far, in the order in which they were added. Any thread. */
  public List<PortReport> reports() {
    return simulation.query(
        () ->
            ports.stream()
                .map(
                    port ->
                        new PortReport(
                            port.inside().number(),
                            port.outside().name(),
                            port.inside().statistics(),
                            port.outside().statistics()))
                .toList());
  }

  /** The counts of each loop port so far, in the order in which they were added. Any thread. */
  public List<LoopReport> loops() {
    return simulation.query(
        () ->
            loops.stream().map(loop -> new LoopReport(loop.number(), loop.statistics())).toList());
  }

  /** The scheduling delay so far. Any thread. */
  public SchedulingDelay schedulingDelay() {
    return network.schedulingDelay();
  }

  /** Closes all ports; after {@link #run} has returned. */
  @Override
  public void close() {
    network.close();
  }
}
