package net.sluice.emulator.switching;

/** Something in a device that is to be done at a time. Called under the device's lock. */
public interface DeviceTimer {

  /** When it is to run next, on the packets' clock, microseconds; Long.MAX_VALUE for never. */
  long nextMicros();

  /** Does what is due by now. */
  void run(long nowMicros);
}
