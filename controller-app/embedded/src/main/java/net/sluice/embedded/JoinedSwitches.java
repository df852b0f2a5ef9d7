package net.sluice.embedded;

import java.util.LinkedHashMap;
import java.util.Map;
import net.sluice.cli.StartFailure;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Trunks;
import net.sluice.intents.profile.Trunks.End;

/** Emulated switches and their FPGAs in one simulation, joined by the trunks between them. */
public final class JoinedSwitches implements AutoCloseable {
  /** Apart from each other, the switches draw other numbers; the first draws the seed's own. */
  private static final long SEED_STEP = 0x9e37_79b9_7f4a_7c15L;

  private final long seed;
  private final Simulation simulation;
  private final Map<String, SwitchWithFpgas> switches = new LinkedHashMap<>();

  /** No switches yet; virtual time stands at 0. */
  public JoinedSwitches(long seed) {
    this.seed = seed;
    simulation = new Simulation(seed);
  }

  /**
   * Starts a switch on free local ports.
   *
   * @throws StartFailure if it cannot listen
   */
  public SwitchWithFpgas start(String name, Topology topology) throws StartFailure {
    return start(
        name,
        topology,
        new SwitchWithFpgas.Serving(SwitchWithFpgas.local(), SwitchWithFpgas.local()));
  }

  SwitchWithFpgas start(String name, Topology topology, SwitchWithFpgas.Serving serving)
      throws StartFailure {
    SwitchWithFpgas started =
        SwitchWithFpgas.start(simulation, topology, seed + switches.size() * SEED_STEP, serving);
    switches.put(name, started);
    return started;
  }

  /** Joins the switches that have been started. */
  public void join() {
    Map<String, Topology> topologies = new LinkedHashMap<>();
    switches.forEach((name, each) -> topologies.put(name, each.topology()));
    for (Trunks.Joint trunk : Trunks.of(topologies).joints()) {
      port(trunk.near()).connect(port(trunk.far()));
      port(trunk.far()).connect(port(trunk.near()));
    }
  }

  /** The simulation that all are in. */
  public Simulation simulation() {
    return simulation;
  }

  /** The switches by name, in the order in which they were started. */
  public Map<String, SwitchWithFpgas> switches() {
    return switches;
  }

  /** A port of a switch. */
  public SwitchPort port(End end) {
    return switches.get(end.switchName()).node().port(end.port());
  }

  /** Stops all servers. */
  @Override
  public void close() {
    switches.values().forEach(SwitchWithFpgas::close);
  }
}
