package net.sluice.emulator.netsim.fpga;

/**
 * Conversion between virtual time and clock cycles, exact in integers for centuries. Cycle c
 * happens at the first whole nanosecond that is not before c / f.
 *
 * @param hz clock frequency, 1 MHz to 1 GHz; above that two cycles would share a nanosecond
 */
record FpgaClock(long hz) {

  static final int CYCLES_PER_TICK = 1_248;
  static final long MIN_HZ = 1_000_000;
  static final long MAX_HZ = 1_000_000_000;

  private static final long NANOS = 1_000_000_000L;

  FpgaClock {
    if (hz < MIN_HZ || hz > MAX_HZ) {
      throw new IllegalArgumentException("clockHz " + hz + ": must be " + MIN_HZ + ".." + MAX_HZ);
    }
  }

  /** Last cycle that has happened at a time. */
  long floor(long nanos) {
    return nanos / NANOS * hz + nanos % NANOS * hz / NANOS;
  }

  /** First cycle that happens at a time or later. */
  long ceil(long nanos) {
    return nanos / NANOS * hz + (nanos % NANOS * hz + NANOS - 1) / NANOS;
  }

  /** When a cycle happens. */
  long nanos(long cycle) {
    return cycle / hz * NANOS + (cycle % hz * NANOS + hz - 1) / hz;
  }
}
