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
   * Whether it is told first of the changes that came due while no controller ran and that the
   * start has made. Only the first such listener is told.
   */
  default boolean keepsRecord() {
    return false;
  }

  /** Called when no other event waits to be told. */
  default void caughtUp() {}
}
