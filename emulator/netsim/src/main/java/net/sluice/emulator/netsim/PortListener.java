package net.sluice.emulator.netsim;

/** Hears of the state of ports. */
@FunctionalInterface
public interface PortListener {

  /**
   * A port was enabled or disabled, its link came or went, or its rate was set. Called inside the
   * simulation, by whoever caused it; must not wait.
   */
  void onPortChange(SwitchPort port);
}
