package net.sluice.emulator.netsim;

import java.util.function.LongSupplier;
import net.sluice.emulator.switching.SwitchClock;
import net.sluice.emulator.switching.SwitchDevice;

/** Runs a device's timers as events of the simulation that its packets are in. */
final class TimerService implements SwitchClock, EventHandler {

  private static final long NANOS_PER_MICRO = 1_000L;

  private final Simulation simulation;
  private final SwitchDevice device;
  private LongSupplier realNanos;
  private Runnable wakeUp = () -> {};

  /** When the earliest event that stands for a timer happens, nanoseconds. */
  private long scheduledNanos = Long.MAX_VALUE;

  TimerService(Simulation simulation, SwitchDevice device) {
    this.simulation = simulation;
    this.device = device;
  }

  void followRealTime(LongSupplier nowNanos, Runnable wake) {
    device.lock().lock();
    try {
      realNanos = nowNanos;
      wakeUp = wake;
      wake.run();
    } finally {
      device.lock().unlock();
    }
  }

  @Override
  public long nowMicros() {
    return (realNanos == null ? simulation.nowNanos() : realNanos.getAsLong()) / NANOS_PER_MICRO;
  }

  @Override
  public long epochNanos() {
    return realNanos == null ? simulation.nowNanos() : WallClock.epochNanos();
  }

  @Override
  public void timersChanged() {
    if (simulation.lock().isHeldByCurrentThread()) {
      schedule();
    } else {
      // The next slice schedules it.
      wakeUp.run();
    }
  }

  /** Makes sure that an event comes no later than the earliest timer; inside the simulation. */
  void schedule() {
    long micros = device.nextTimerMicros();
    if (micros == Long.MAX_VALUE) {
      return;
    }
    long nanos = Math.max(simulation.nowNanos(), micros * NANOS_PER_MICRO);
    if (nanos < scheduledNanos) {
      scheduledNanos = nanos;
      simulation.schedule(nanos, this, 0);
    }
  }

  @Override
  public void onEvent(long nowNanos, long argument) {
    if (nowNanos >= scheduledNanos) {
      scheduledNanos = Long.MAX_VALUE;
    }
    device.runTimers(nowNanos / NANOS_PER_MICRO);
    schedule();
  }
}
