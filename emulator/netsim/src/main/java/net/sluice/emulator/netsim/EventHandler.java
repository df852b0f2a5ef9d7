package net.sluice.emulator.netsim;

/** What happens at an instant of virtual time. */
@FunctionalInterface
public interface EventHandler {

  /**
   * Runs the event.
   *
   * @param nowNanos virtual time the event was scheduled for, nanoseconds
   * @param argument what the scheduler of the event wanted to be told
   */
  void onEvent(long nowNanos, long argument);
}
