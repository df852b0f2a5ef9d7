package net.sluice.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import net.sluice.cli.ListenAddress;
import net.sluice.cli.StartFailure;
import net.sluice.core.Servers;
import net.sluice.core.Servers.FpgaEndpoint;
import net.sluice.core.Servers.GnmiEndpoint;
import net.sluice.core.Servers.SwitchEndpoint;
import net.sluice.embedded.fpga.FpgaAgent;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.netsim.fpga.FpgaModel;
import net.sluice.emulator.server.gnmi.GnmiClock;
import net.sluice.emulator.server.gnmi.GnmiServer;
import net.sluice.emulator.server.p4runtime.P4RuntimeServer;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.fpga.RegisterBusAgent;
import net.sluice.gates.AgentRun;
import net.sluice.gates.loop.LoopSettings;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.profile.MarkerSettings;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.value.Direction;
import net.sluice.standalone.network.RemoteSwitch;

/**
 * An emulated switch in a simulation that others may be in, too: without a program, served over
 * P4Runtime and gNMI, and cabled to an FPGA for each sidecar of its topology, served over the
 * register bus. Controllers reach them over the network like any other target.
 */
public final class SwitchWithFpgas implements AutoCloseable {
  private static final long DEVICE_ID = 1;

  private static final long ELECTION_ID = 1;

  // Frames wait up to a quarter of a second: far beyond where the congestion threshold holds the
  // queue, so that packets are dropped by value, not by a full queue.
  private static final double QUEUE_SECONDS = 0.25;
  private static final long MIN_QUEUE_BYTES = 1L << 20;
  private static final long MAX_QUEUE_BYTES = 256L << 20;

  /** Slow loops cost less time to emulate, but packets are looked at more seldom. */
  private static final long MIN_LOOP_BPS = 1_000_000_000;

  private final Simulation simulation;
  private final Topology topology;
  private final V1modelSwitch device;
  private final SwitchNode node;
  private final Serving serving;
  private final P4RuntimeServer p4runtime;
  private final GnmiServer gnmi;
  private final Map<Direction, Sidecar> sidecars = new EnumMap<>(Direction.class);
  private final Deque<AutoCloseable> servers = new ArrayDeque<>();

  /**
   * Where a switch and its FPGAs are served; port 0 takes a free one.
   *
   * @param deviceId P4Runtime device id
   * @param fpgas registers, of the directions of the topology's sidecars
   * @param fpgaClockHz clock of the FPGAs
   * @param portNames names of the ports that have one
   * @param afterSet told when a client of gNMI has set something, for virtual time that may be
   *     asleep
   */
  record Serving(
      InetSocketAddress p4runtime,
      long deviceId,
      InetSocketAddress gnmi,
      Map<Direction, InetSocketAddress> fpgas,
      long fpgaClockHz,
      Map<Integer, String> portNames,
      Runnable afterSet) {
    /** FPGAs of the default clock on free local ports, and ports without names. */
    Serving(InetSocketAddress p4runtime, InetSocketAddress gnmi) {
      this(
          p4runtime,
          DEVICE_ID,
          gnmi,
          Map.of(Direction.DOWN, local(), Direction.UP, local()),
          DefaultTopology.FPGA_CLOCK_HZ,
          Map.of(),
          () -> {});
    }
  }

  private SwitchWithFpgas(Simulation simulation, Topology topology, long seed, Serving serving)
      throws StartFailure {
    this.simulation = simulation;
    this.topology = topology;
    this.serving = serving;
    device = new V1modelSwitch(serving.deviceId(), seed, controllerPort(topology));
    node = new SwitchNode(simulation, device);
    for (Topology.SwitchPort port : topology.ports()) {
      node.addPort(port.number(), port.rateBps(), queueBytes(port.rateBps()));
    }
    long loopBps = loopBps(topology);
    for (int loop : topology.loopPorts()) {
      node.addPort(loop, loopBps, MAX_QUEUE_BYTES);
    }
    try {
      for (Direction direction : Direction.values()) {
        OptionalInt port = topology.sidecar(direction);
        if (port.isPresent()) {
          Sidecar sidecar = sidecar(port.getAsInt(), serving.fpgas().get(direction));
          servers.push(sidecar.agent());
          sidecars.put(direction, sidecar);
        }
      }
      p4runtime = p4runtime();
      servers.push(p4runtime);
      gnmi = gnmi();
      servers.push(gnmi);
    } catch (StartFailure e) {
      close();
      throw e;
    }
  }

  /**
   * Starts a switch and its FPGAs, with ports that are not cabled to anything else.
   *
   * @param topology its ports and sidecars
   * @param seed of everything random in it
   * @throws StartFailure if one cannot listen
   */
  static SwitchWithFpgas start(Simulation simulation, Topology topology, long seed, Serving serving)
      throws StartFailure {
    return new SwitchWithFpgas(simulation, topology, seed, serving);
  }

  /** As the other, on free local ports. */
  public static SwitchWithFpgas start(Simulation simulation, Topology topology, long seed)
      throws StartFailure {
    return start(simulation, topology, seed, new Serving(local(), local()));
  }

  /** Where packets of controllers pass; 0 if the topology uses that port otherwise. */
  private static int controllerPort(Topology topology) {
    boolean used =
        topology.port(Topology.CONTROLLER_PORT).isPresent()
            || topology.loopPorts().contains(Topology.CONTROLLER_PORT);
    return used ? 0 : Topology.CONTROLLER_PORT;
  }

  private P4RuntimeServer p4runtime() throws StartFailure {
    try {
      return P4RuntimeServer.start(device, serving.p4runtime());
    } catch (IOException e) {
      throw StartFailure.cannotServe("P4Runtime", serving.p4runtime(), e);
    }
  }

  private GnmiServer gnmi() throws StartFailure {
    try {
      return GnmiServer.start(
          simulation,
          node,
          serving.portNames(),
          GnmiClock.wall(simulation),
          serving.afterSet(),
          serving.gnmi());
    } catch (IOException e) {
      throw StartFailure.cannotServe("gNMI", serving.gnmi(), e);
    }
  }

  /** An FPGA, where its frames go, and who serves its registers. */
  private record Sidecar(FpgaModel fpga, FpgaOutput output, RegisterBusAgent agent) {}

  private Sidecar sidecar(int portNumber, InetSocketAddress address) throws StartFailure {
    SwitchPort port = node.port(portNumber);
    FpgaOutput output = new FpgaOutput(port);
    FpgaModel fpga = new FpgaModel(simulation, output, serving.fpgaClockHz(), port.rateBps());
    port.connect(fpga);
    try {
      return new Sidecar(fpga, output, FpgaAgent.start(fpga, address));
    } catch (IOException e) {
      throw StartFailure.cannotServe("an FPGA's registers", address, e);
    }
  }

  /** Where an FPGA's frames go: to the switch, unless something is put in between. */
  private static final class FpgaOutput implements FrameReceiver {
    private FrameReceiver to;

    FpgaOutput(FrameReceiver to) {
      this.to = to;
    }

    @Override
    public void receive(byte[] bytes, int offset, int length, long tag, long nowNanos) {
      to.receive(bytes, offset, length, tag, nowNanos);
    }
  }

  /**
   * Puts something between an FPGA and the switch port its frames go back to.
   *
   * @param direction of an FPGA that is there
   * @param tap given where the frames go, answers where they are to go first
   */
  public void tapBehindFpga(Direction direction, UnaryOperator<FrameReceiver> tap) {
    FpgaOutput output = sidecars.get(direction).output();
    simulation.execute(() -> output.to = tap.apply(output.to));
  }

  static InetSocketAddress local() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private static long queueBytes(long rateBps) {
    return Math.max(
        MIN_QUEUE_BYTES, Math.min(MAX_QUEUE_BYTES, (long) (rateBps / 8.0 * QUEUE_SECONDS)));
  }

  /** As fast as all lines to subscribers together: a limited packet goes round at least once. */
  private static long loopBps(Topology topology) {
    long accessBps =
        topology.ports().stream()
            .filter(port -> port.role() == PortRole.ACCESS)
            .mapToLong(Topology.SwitchPort::rateBps)
            .sum();
    return Math.max(MIN_LOOP_BPS, accessBps);
  }

  Topology topology() {
    return topology;
  }

  /** The switch in the simulation. */
  public SwitchNode node() {
    return node;
  }

  /** The switch itself. */
  public V1modelSwitch device() {
    return device;
  }

  private static String reachable(InetSocketAddress listening) {
    InetAddress bound = listening.getAddress();
    return bound.isAnyLocalAddress()
        ? InetAddress.getLoopbackAddress().getHostAddress()
        : bound.getHostAddress();
  }

  /** {@code HOST:PORT} where the switch's P4Runtime listens. */
  String p4runtimeText() {
    return ListenAddress.text(serving.p4runtime(), p4runtime.port());
  }

  /** {@code HOST:PORT} where its gNMI listens. */
  String gnmiText() {
    return ListenAddress.text(serving.gnmi(), gnmi.port());
  }

  /** An agent that moves the switch's gates in real time, once it runs. */
  AgentRun agent() {
    return new AgentRun(
        new AgentRun.Place(
            new InetSocketAddress(reachable(serving.p4runtime()), p4runtime.port()),
            serving.deviceId(),
            1),
        LoopSettings.PAPER);
  }

  /** TCP port of an FPGA's register agent, on the loopback interface; the FPGA must be there. */
  int agentPort(Direction direction) {
    return sidecars.get(direction).agent().port();
  }

  /**
   * The switch as a controller of a network is told of it.
   *
   * @param name its name in the network
   */
  public RemoteSwitch remote(String name, MarkerSettings marker) {
    return remote(name, DefaultTopology.model(topology, marker));
  }

  RemoteSwitch remote(String name, RemoteSwitch.Model model) {
    return new RemoteSwitch(
        name,
        model,
        new Servers(
            new SwitchEndpoint(
                reachable(serving.p4runtime()), p4runtime.port(), serving.deviceId(), ELECTION_ID),
            Optional.of(new GnmiEndpoint(reachable(serving.gnmi()), gnmi.port(), false)),
            agent(Direction.DOWN),
            agent(Direction.UP)));
  }

  private Optional<FpgaEndpoint> agent(Direction direction) {
    return Optional.ofNullable(sidecars.get(direction))
        .map(
            sidecar ->
                new FpgaEndpoint.Agent(
                    InetAddress.getLoopbackAddress().getHostAddress(), sidecar.agent().port()));
  }

  /** Stops all servers, the last one started first. */
  @Override
  public void close() {
    while (!servers.isEmpty()) {
      try {
        servers.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException("a server does not stop", e);
      }
    }
  }
}
