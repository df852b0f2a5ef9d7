package net.sluice.emulator.netsim;

/** Listener for state changes of ports. */
@FunctionalInterface
public interface PortListener {

  /**
   * A port was enabled or disabled, its link came or went, or its rate was set. Called inside the
   * simulation, by the thread that caused it; must not block.
   */
  void onPortChange(SwitchPort port);
}
