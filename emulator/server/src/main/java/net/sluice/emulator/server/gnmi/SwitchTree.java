package net.sluice.emulator.server.gnmi;

import java.util.List;
import java.util.Map;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.server.gnmi.TreeNode.Branch;

/** The tree of one switch and the configuration behind it. Used under the simulation's lock. */
final class SwitchTree {

  private final PortDirectory ports;
  private final Branch root = new Branch("", "");
  private final ModuleNames moduleNames;
  private final InterfacesModel interfaces;
  private ConfigStore config = new ConfigStore();

  SwitchTree(SwitchNode node, Map<Integer, String> names, long startEpochNanos) {
    ports = new PortDirectory(node.frontPorts(), names);
    interfaces = new InterfacesModel(ports, () -> config, startEpochNanos);
    interfaces.addTo(root);
    new QosModel(ports, () -> config).addTo(root);
    moduleNames = new ModuleNames(root);
  }

  Branch root() {
    return root;
  }

  /** A port may have come up or gone down now. */
  void portChanged(SwitchPort port, long epochNanos) {
    interfaces.portChanged(port, epochNanos);
  }

  /** How modules are named in paths. */
  ModuleNames moduleNames() {
    return moduleNames;
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
