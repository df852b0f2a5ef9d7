package net.sluice.onos.cluster;

import net.sluice.core.Controller;

/** The services of an instance while it leads. */
@FunctionalInterface
public interface Led extends AutoCloseable {
  /** The controller over the cluster's store. */
  Controller controller();

  /** Ends the controller, and before it what stands beside it. */
  @Override
  default void close() {
    controller().close();
  }
}
