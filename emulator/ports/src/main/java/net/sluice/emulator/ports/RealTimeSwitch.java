package net.sluice.emulator.ports;

import io.grpc.ServerCredentials;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import net.sluice.emulator.netsim.PortStatistics;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.server.gnmi.GnmiClock;
import net.sluice.emulator.server.gnmi.GnmiEndpoint;
import net.sluice.emulator.server.gnmi.GnmiServer;
import net.sluice.emulator.switching.SwitchDevice;

/** A switch on {@link RealTimePorts} of its own. One thread switches all ports, in {@link #run}. */
public final class RealTimeSwitch implements AutoCloseable {
  private final Simulation simulation;
  private final SwitchNode node;
  private final RealTimePorts ports;
  private final List<SwitchPort> loops = new ArrayList<>();

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
    ports = new RealTimePorts(simulation, Long.MAX_VALUE);
    ports.follow(node);
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
    ports.cable(node, inside, outside, delayNanos, recording);
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
        simulation, node, names(), GnmiClock.wall(simulation), ports::wakeUp, address, credentials);
  }

  /** gNMI for the ports, to be served beside another service; after all are added. */
  public GnmiEndpoint gnmi() {
    return new GnmiEndpoint(simulation, node, names(), GnmiClock.wall(simulation), ports::wakeUp);
  }

  private Map<Integer, String> names() {
    Map<Integer, String> names = ports.names();
    loops.forEach(loop -> names.put(loop.number(), "loop" + loop.number()));
    return names;
  }

  /** Follows the links of the interfaces until closed. */
  public LinkMonitor watchLinks() {
    return ports.watchLinks();
  }

  /** Changes the ports' configuration. Any thread. */
  public void configure(Consumer<SwitchNode> change) {
    simulation.execute(() -> change.accept(node));
    ports.wakeUp();
  }

  /** Reads the ports' state. Any thread. */
  public <T> T query(Function<SwitchNode, T> question) {
    return simulation.query(() -> question.apply(node));
  }

  /** Switches frames until {@link #stop} is called; once, on a thread of its own. */
  public void run() {
    ports.run();
  }

  /** Number of times it has slept. */
  long waits() {
    return ports.waits();
  }

  /** Makes {@link #run} return, soon. Any thread. */
  public void stop() {
    ports.stop();
  }

  /** The counts of each port so far, in the order in which they were added. Any thread. */
  public List<RealTimePorts.PortReport> reports() {
    return ports.reports();
  }

  /** The counts of each loop port so far, in the order in which they were added. Any thread. */
  public List<LoopReport> loops() {
    return simulation.query(
        () ->
            loops.stream().map(loop -> new LoopReport(loop.number(), loop.statistics())).toList());
  }

  /** The scheduling delay so far. Any thread. */
  public SchedulingDelay schedulingDelay() {
    return ports.schedulingDelay();
  }

  /** Closes all ports; after {@link #run} has returned. */
  @Override
  public void close() {
    ports.close();
  }
}
