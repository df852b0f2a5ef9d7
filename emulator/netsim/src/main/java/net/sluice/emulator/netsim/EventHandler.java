package net.sluice.emulator.netsim;

/** The handler of an event in virtual time. */
@FunctionalInterface
public interface EventHandler {

  /**
   * Runs the event.
   *
   * @param nowNanos virtual time the event was scheduled for, nanoseconds
   * @param argument given when the event was scheduled
   */
  void onEvent(long nowNanos, long argument);
}
