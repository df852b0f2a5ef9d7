package net.sluice.emulator.switching;

/**
 * The clock of a device's packets, which also runs the device's timers. Everything here is called
 * under the device's {@linkplain SwitchDevice#lock() lock}.
 */
public interface SwitchClock {

  /** Stands still at 0: the clock of a device that is not in a network yet. */
  SwitchClock STOPPED =
      new SwitchClock() {
        @Override
        public long nowMicros() {
          return 0;
        }

        @Override
        public long epochNanos() {
          return 0;
        }

        @Override
        public void timersChanged() {
          // Time stands still, so no timer is ever due.
        }
      };

  /** Now, on the clock that packets are stamped by, microseconds. */
  long nowMicros();

  /** Now, nanoseconds since 1970; in virtual time, since its start. */
  long epochNanos();

  /** Tells the clock's owner that {@link SwitchDevice#nextTimerMicros()} may have changed. */
  void timersChanged();
}
