package net.sluice.emulator.netsim.host;

import java.util.function.LongConsumer;
import net.sluice.emulator.netsim.EventHandler;
import net.sluice.emulator.netsim.Simulation;

/**
 * A timer in virtual time that may be set again and again cheaply: moving the deadline back, which
 * is what a retransmission timer does with every acknowledgement, schedules nothing; the event
 * under way finds on arrival that it is early and goes on to the deadline.
 */
public final class VirtualTimer implements EventHandler {

  private static final long NONE = Long.MAX_VALUE;

  private final Simulation simulation;
  private final LongConsumer action;
  private long deadlineNanos = NONE;
  private long eventNanos = NONE;
  private long generation;

  /**
   * A timer that is not set.
   *
   * @param action run when it expires, with the virtual time, nanoseconds
   */
  public VirtualTimer(Simulation simulation, LongConsumer action) {
    this.simulation = simulation;
    this.action = action;
  }

  /** Sets the deadline, virtual nanoseconds, not in the past; replaces the one before. */
  public void set(long atNanos) {
    deadlineNanos = atNanos;
    if (eventNanos > atNanos) {
      schedule(atNanos);
    }
  }

  /** Clears the deadline. */
  public void cancel() {
    deadlineNanos = NONE;
  }

  /** Whether a deadline is set. */
  public boolean isSet() {
    return deadlineNanos != NONE;
  }

  @Override
  public void onEvent(long nowNanos, long argument) {
    if (argument != generation) {
      // An earlier deadline was set after this event had been scheduled; that one's event counts.
      return;
    }
    eventNanos = NONE;
    if (deadlineNanos > nowNanos) {
      if (deadlineNanos != NONE) {
        schedule(deadlineNanos);
      }
      return;
    }
    deadlineNanos = NONE;
    action.accept(nowNanos);
  }

  private void schedule(long atNanos) {
    eventNanos = atNanos;
    simulation.schedule(atNanos, this, ++generation);
  }
}
