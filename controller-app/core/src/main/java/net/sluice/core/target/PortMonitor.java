package net.sluice.core.target;

import net.sluice.core.PortSummary;

/** Knows how the ports of the switch are. */
public interface PortMonitor extends AutoCloseable {

  /** Begins to find out. */
  void start();

  /** False while the switch has nothing that tells of its ports; never waits. */
  default boolean hasSource() {
    return true;
  }

  /** The ports as far as they are known now; never waits. */
  PortSummary ports();

  /** Finds out no more. */
  @Override
  void close();
}
