package net.sluice.core;

/**
 * Receives events, one after the other, on a thread of the controller's. One that takes long delays
 * the others; if events pile up, some are left out.
 */
@FunctionalInterface
public interface ControllerListener {
  /** Called once per event. */
  void on(ControllerEvent event);

  /**
   * Whether it is told first what came due while no controller ran, and came into force at the
   * start, before anybody could listen. The first for which this holds is told.
   */
  default boolean keepsRecord() {
    return false;
  }

  /** Called when no other event waits to be told. */
  default void caughtUp() {}
}
