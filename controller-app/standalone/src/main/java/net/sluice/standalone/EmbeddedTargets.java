package net.sluice.standalone;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.netsim.WallClock;
import net.sluice.emulator.netsim.fpga.FpgaModel;
import net.sluice.emulator.server.gnmi.GnmiClock;
import net.sluice.emulator.server.gnmi.GnmiServer;
import net.sluice.emulator.server.p4runtime.P4RuntimeServer;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.fpga.RegisterBusAgent;
import net.sluice.intents.model.Direction;
import net.sluice.intents.profile.Topology;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The emulated targets of a {@link DefaultTopology} in this process: a switch without a program,
 * served over P4Runtime, and two FPGAs, served over the register bus, cabled to it in one
 * simulation. Controllers reach them over the network like any other target.
 *
 * <p>Virtual time stands still until somebody runs {@link #simulation()}; {@link #startPaced} runs
 * it in step with the wall clock.
 */
public final class EmbeddedTargets implements AutoCloseable {
  /** P4Runtime device id of the switch. */
  public static final long DEVICE_ID = 1;

  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedTargets.class);

  // Frames wait up to a quarter of a second: far beyond where the congestion threshold holds the
  // queue, so that packets are dropped by value, not by a full queue.
  private static final double QUEUE_SECONDS = 0.25;
  private static final long MIN_QUEUE_BYTES = 1L << 20;
  private static final long MAX_QUEUE_BYTES = 256L << 20;
  private static final long STOP_MILLIS = 5_000;

  private final InetSocketAddress p4runtimeAddress;
  private final InetSocketAddress gnmiAddress;
  private final Simulation simulation;
  private final V1modelSwitch device;
  private final SwitchNode node;
  private final P4RuntimeServer p4runtime;
  private final GnmiServer gnmi;
  private final FpgaModel fpgaDown;
  private final FpgaModel fpgaUp;
  private final Map<FpgaModel, FpgaOutput> outputs = new IdentityHashMap<>();
  private final RegisterBusAgent agentDown;
  private final RegisterBusAgent agentUp;
  private Thread pacing;

  private EmbeddedTargets(
      DefaultTopology topology,
      long seed,
      InetSocketAddress p4runtimeAddress,
      InetSocketAddress gnmiAddress)
      throws StartFailure {
    this.p4runtimeAddress = p4runtimeAddress;
    this.gnmiAddress = gnmiAddress;
    simulation = new Simulation(seed);
    device = new V1modelSwitch(DEVICE_ID, seed);
    node = new SwitchNode(simulation, device);
    for (Topology.SwitchPort port : topology.topology().ports()) {
      node.addPort(port.number(), port.rateBps(), queueBytes(port.rateBps()));
    }
    fpgaDown = sidecar(DefaultTopology.SIDECAR_DOWN_PORT);
    fpgaUp = sidecar(DefaultTopology.SIDECAR_UP_PORT);
    agentDown = agent(fpgaDown);
    agentUp = agent(fpgaUp);
    try {
      p4runtime = P4RuntimeServer.start(device, p4runtimeAddress);
    } catch (IOException e) {
      agentDown.close();
      agentUp.close();
      throw StartFailure.cannotServe("P4Runtime", p4runtimeAddress, e);
    }
    try {
      gnmi =
          GnmiServer.start(
              simulation, node, Map.of(), GnmiClock.wall(simulation), () -> {}, gnmiAddress);
    } catch (IOException e) {
      p4runtime.close();
      agentDown.close();
      agentUp.close();
      throw StartFailure.cannotServe("gNMI", gnmiAddress, e);
    }
  }

  /**
   * Starts the targets.
   *
   * @param seed of everything random in them
   * @param p4runtimeAddress where the switch listens; port 0 takes a free one
   * @param gnmiAddress where its gNMI listens; port 0 takes a free one
   * @throws StartFailure if one cannot listen
   */
  public static EmbeddedTargets start(
      DefaultTopology topology,
      long seed,
      InetSocketAddress p4runtimeAddress,
      InetSocketAddress gnmiAddress)
      throws StartFailure {
    return new EmbeddedTargets(topology, seed, p4runtimeAddress, gnmiAddress);
  }

  /** As the other, with gNMI on a free local port. */
  public static EmbeddedTargets start(
      DefaultTopology topology, long seed, InetSocketAddress p4runtimeAddress) throws StartFailure {
    return start(topology, seed, p4runtimeAddress, local());
  }

  /** As the other, with P4Runtime on a free local port, too. */
  public static EmbeddedTargets start(DefaultTopology topology, long seed) throws StartFailure {
    return start(topology, seed, local());
  }

  private FpgaModel sidecar(int portNumber) {
    SwitchPort port = node.port(portNumber);
    FpgaOutput output = new FpgaOutput(port);
    FpgaModel fpga =
        new FpgaModel(
            simulation, output, DefaultTopology.FPGA_CLOCK_HZ, DefaultTopology.SIDECAR_BPS);
    port.connect(fpga);
    outputs.put(fpga, output);
    return fpga;
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
   * @param tap given where the frames go, answers where they are to go first
   */
  public void tapBehindFpga(Direction direction, UnaryOperator<FrameReceiver> tap) {
    FpgaOutput output = outputs.get(fpga(direction));
    simulation.execute(() -> output.to = tap.apply(output.to));
  }

  private static RegisterBusAgent agent(FpgaModel fpga) throws StartFailure {
    try {
      return FpgaAgent.start(fpga, local());
    } catch (IOException e) {
      throw new StartFailure(
          "cannot serve an FPGA's registers on a free local port: " + ListenAddress.reason(e), e);
    }
  }

  private static InetSocketAddress local() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private static long queueBytes(long rateBps) {
    return Math.max(
        MIN_QUEUE_BYTES, Math.min(MAX_QUEUE_BYTES, (long) (rateBps / 8.0 * QUEUE_SECONDS)));
  }

  /** The simulation all targets are in. */
  public Simulation simulation() {
    return simulation;
  }

  /** The switch in the simulation. */
  public SwitchNode node() {
    return node;
  }

  /** The switch's port towards the subscribers. */
  public SwitchPort accessPort() {
    return node.port(DefaultTopology.ACCESS_PORT);
  }

  /** The switch's port towards the core. */
  public SwitchPort corePort() {
    return node.port(DefaultTopology.CORE_PORT);
  }

  /** The switch itself. */
  public V1modelSwitch device() {
    return device;
  }

  /** The FPGA of a direction. */
  public FpgaModel fpga(Direction direction) {
    return direction == Direction.DOWN ? fpgaDown : fpgaUp;
  }

  /** Host to reach the switch's P4Runtime server at from here. */
  public String p4runtimeHost() {
    return reachable(p4runtimeAddress);
  }

  private static String reachable(InetSocketAddress listening) {
    InetAddress bound = listening.getAddress();
    return bound.isAnyLocalAddress()
        ? InetAddress.getLoopbackAddress().getHostAddress()
        : bound.getHostAddress();
  }

  /** TCP port of the switch's P4Runtime server. */
  public int p4runtimePort() {
    return p4runtime.port();
  }

  /** TCP port of the switch's gNMI server. */
  public int gnmiPort() {
    return gnmi.port();
  }

  /** Host to reach the switch's gNMI server at from here. */
  public String gnmiHost() {
    return reachable(gnmiAddress);
  }

  /** TCP port of an FPGA's register agent, on the loopback interface. */
  public int agentPort(Direction direction) {
    return (direction == Direction.DOWN ? agentDown : agentUp).port();
  }

  /** Runs virtual time in step with the wall clock until {@link #close}. */
  public synchronized void startPaced() {
    if (pacing != null) {
      throw new IllegalStateException("virtual time is running already");
    }
    pacing = new Thread(this::pace, "sluice-virtual-time");
    pacing.setDaemon(true);
    pacing.start();
  }

  private void pace() {
    try {
      simulation.runPaced(Long.MAX_VALUE, WallClock.system());
    } catch (InterruptedException e) {
      LOG.debug("virtual time stops", e);
    }
  }

  /** Stops virtual time if {@link #startPaced} runs it, and all servers. */
  @Override
  public synchronized void close() {
    if (pacing != null) {
      pacing.interrupt();
      try {
        pacing.join(STOP_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    gnmi.close();
    p4runtime.close();
    agentDown.close();
    agentUp.close();
  }
}
