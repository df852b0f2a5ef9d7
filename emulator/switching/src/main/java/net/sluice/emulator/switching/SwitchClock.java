package net.sluice.emulator.switching;

/**
 * The time that a device's packets live in, and the way to be called when some of it has passed.
 * Everything here is called under the device's {@linkplain SwitchDevice#lock() lock}.
 */
public interface SwitchClock {

  /** Stands still at 0: the clock of a device that is in no network yet. */
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
          // There is nobody to call back.
        }
      };

  /** Now, on the clock that packets are stamped by, microseconds. */
  long nowMicros();

  /** Now, nanoseconds since 1970; in virtual time, since its start. */
  long epochNanos();

  /** Makes whoever runs the device look at {@link SwitchDevice#nextTimerMicros()} again. */
  void timersChanged();
}
