package net.sluice.standalone;

import java.net.InetSocketAddress;
import java.util.function.UnaryOperator;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.netsim.WallClock;
import net.sluice.emulator.netsim.fpga.FpgaModel;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.intents.model.Direction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The emulated targets of a {@link DefaultTopology} in this process: an {@link EmbeddedSwitch} with
 * its two FPGAs, in a simulation of its own.
 *
 * <p>Virtual time stands still until somebody runs {@link #simulation()}; {@link #startPaced} runs
 * it in step with the wall clock.
 */
public final class EmbeddedTargets implements AutoCloseable {
  /** P4Runtime device id of the switch. */
  public static final long DEVICE_ID = EmbeddedSwitch.DEVICE_ID;

  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedTargets.class);

  private static final long STOP_MILLIS = 5_000;

  private final Simulation simulation;
  private final EmbeddedSwitch only;
  private Thread pacing;

  private EmbeddedTargets(
      DefaultTopology topology,
      long seed,
      InetSocketAddress p4runtimeAddress,
      InetSocketAddress gnmiAddress)
      throws StartFailure {
    simulation = new Simulation(seed);
    only =
        EmbeddedSwitch.start(simulation, topology.topology(), seed, p4runtimeAddress, gnmiAddress);
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
    return start(topology, seed, p4runtimeAddress, EmbeddedSwitch.local());
  }

  /** As the other, with P4Runtime on a free local port, too. */
  public static EmbeddedTargets start(DefaultTopology topology, long seed) throws StartFailure {
    return start(topology, seed, EmbeddedSwitch.local());
  }

  /** As {@link EmbeddedSwitch#tapBehindFpga}. */
  public void tapBehindFpga(Direction direction, UnaryOperator<FrameReceiver> tap) {
    only.tapBehindFpga(direction, tap);
  }

  /** The simulation all targets are in. */
  public Simulation simulation() {
    return simulation;
  }

  /** The switch in the simulation. */
  public SwitchNode node() {
    return only.node();
  }

  /** The switch's port towards the subscribers. */
  public SwitchPort accessPort() {
    return only.node().port(DefaultTopology.ACCESS_PORT);
  }

  /** The switch's port towards the core. */
  public SwitchPort corePort() {
    return only.node().port(DefaultTopology.CORE_PORT);
  }

  /** The switch itself. */
  public V1modelSwitch device() {
    return only.device();
  }

  /** The FPGA of a direction. */
  public FpgaModel fpga(Direction direction) {
    return only.fpga(direction);
  }

  /** Host to reach the switch's P4Runtime server at from here. */
  public String p4runtimeHost() {
    return only.p4runtimeHost();
  }

  /** TCP port of the switch's P4Runtime server. */
  public int p4runtimePort() {
    return only.p4runtimePort();
  }

  /** TCP port of the switch's gNMI server. */
  public int gnmiPort() {
    return only.gnmiPort();
  }

  /** Host to reach the switch's gNMI server at from here. */
  public String gnmiHost() {
    return only.gnmiHost();
  }

  /** TCP port of an FPGA's register agent, on the loopback interface. */
  public int agentPort(Direction direction) {
    return only.agentPort(direction);
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
    only.close();
  }
}
