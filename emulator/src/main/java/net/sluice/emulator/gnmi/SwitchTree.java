package net.sluice.emulator.gnmi;

import java.util.List;
import java.util.Map;
import net.sluice.emulator.gnmi.TreeNode.Branch;
import net.sluice.emulator.sim.Simulation;
import net.sluice.emulator.sim.SwitchNode;

/** The tree of one switch and the configuration behind it. Used under the simulation's lock. */
final class SwitchTree {

  private final PortDirectory ports;
  private final Branch root = new Branch("", "");
  private ConfigStore config = new ConfigStore();

  SwitchTree(Simulation simulation, SwitchNode node, Map<Integer, String> names, GnmiClock clock) {
    ports = new PortDirectory(node.ports(), names);
    new InterfacesModel(ports, () -> config, clock, simulation::nowNanos).addTo(root);
    new QosModel(ports, () -> config).addTo(root);
  }

  Branch root() {
    return root;
  }

  TreeWalk walk() {
    return new TreeWalk(root);
  }

  /** A change of the configuration. */
  @FunctionalInterface
  interface Change {
    void in(ConfigStore draft) throws GnmiException;
  }

  /**
   * Changes the configuration and the switch with it, or neither.
   *
   * @throws GnmiException that the change throws, or if what it leads to means nothing
   */
  void change(Change change) throws GnmiException {
    ConfigStore before = config;
    List<PortSettings> settings;
    boolean done = false;
    // The tree shows the draft meanwhile; nobody else looks, the lock is held.
    config = before.copy();
    try {
      change.in(config);
      settings = PortSettings.of(ports, config);
      done = true;
    } finally {
      if (!done) {
        config = before;
      }
    }
    settings.forEach(PortSettings::apply);
  }
}
