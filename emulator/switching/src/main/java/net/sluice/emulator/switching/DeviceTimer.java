package net.sluice.emulator.switching;

/** A timer of a device. Called under the device's lock. */
public interface DeviceTimer {

  /** When it is to run next, on the packets' clock, microseconds; Long.MAX_VALUE for never. */
  long nextMicros();

  /** Runs what is due. */
  void run(long nowMicros);
}
