package net.sluice.embedded;

import java.net.InetSocketAddress;
import java.util.Map;
import net.sluice.cli.StartFailure;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.netsim.WallClock;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.gates.AgentRun;
import net.sluice.intents.value.Direction;
import net.sluice.standalone.InProcessTargets;
import net.sluice.standalone.network.RemoteSwitch;

/**
 * The emulated targets of a {@link DefaultTopology} in this process: an {@link SwitchWithFpgas}
 * with its two FPGAs, in a simulation of its own.
 *
 * <p>Virtual time stands still until somebody runs {@link #simulation()}; {@link #run} runs it in
 * step with the wall clock.
 */
public final class EmbeddedTargets implements InProcessTargets.RunningOne {
  private final DefaultTopology topology;
  private final Simulation simulation;
  private final SwitchWithFpgas only;
  private RunningTime running;

  private EmbeddedTargets(
      DefaultTopology topology,
      long seed,
      InetSocketAddress p4runtimeAddress,
      InetSocketAddress gnmiAddress)
      throws StartFailure {
    this.topology = topology;
    simulation = new Simulation(seed);
    only =
        SwitchWithFpgas.start(
            simulation,
            topology.topology(),
            seed,
            new SwitchWithFpgas.Serving(p4runtimeAddress, gnmiAddress));
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
    return start(topology, seed, p4runtimeAddress, SwitchWithFpgas.local());
  }

  /** As the other, with P4Runtime on a free local port, too. */
  public static EmbeddedTargets start(DefaultTopology topology, long seed) throws StartFailure {
    return start(topology, seed, SwitchWithFpgas.local());
  }

  /** The simulation all targets are in. */
  public Simulation simulation() {
    return simulation;
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

  @Override
  public RemoteSwitch remote() {
    return only.remote(NetworkSwitch.ONLY, topology.model());
  }

  @Override
  public String text() {
    return "P4Runtime "
        + only.p4runtimeText()
        + ", gNMI "
        + only.gnmiText()
        + ", FPGA registers "
        + only.agentPort(Direction.DOWN)
        + " and "
        + only.agentPort(Direction.UP);
  }

  /**
   * Runs virtual time in step with the wall clock until {@link #close}, with an agent that moves
   * the switch's gates.
   */
  @Override
  public void run() {
    run(only.agent());
  }

  synchronized void run(AgentRun agent) {
    if (running != null) {
      throw new IllegalStateException("virtual time is running already");
    }
    running =
        new RunningTime(
            Map.of("", agent),
            () -> simulation.runPaced(Long.MAX_VALUE, WallClock.system()),
            () -> {});
  }

  /** Stops virtual time if {@link #run} runs it, and all servers. */
  @Override
  public synchronized void close() {
    if (running != null) {
      running.close();
    }
    only.close();
  }
}
