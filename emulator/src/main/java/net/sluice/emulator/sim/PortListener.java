package net.sluice.emulator.sim;

/** Hears of the state of ports. */
@FunctionalInterface
public interface PortListener {

  /**
   * A port was enabled or disabled, or its link came or went. Called inside the simulation, by
   * whoever caused it; must not wait.
   */
  void onPortChange(SwitchPort port);
}
