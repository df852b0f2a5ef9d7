package net.sluice.core;

/**
 * Receives events, on the thread that caused them; it must return quickly and must not call {@link
 * Controller#apply}.
 */
@FunctionalInterface
public interface ControllerListener {
  /** Called once per event. */
  void on(ControllerEvent event);
}
