package net.sluice.lab.experiment.fpga;

/**
 * The core's clock.
 *
 * @param khz its frequency
 * @param tickClocks clocks of a tick, by which rates are counted
 */
record CoreClock(int khz, int tickClocks) {
  /** Section IV: 220 MHz. */
  static final CoreClock PAPER = new CoreClock(220_000, 1_248);

  /** Ticks as long as the paper's, to 0.5 %, at 10 MHz. */
  static final CoreClock SLOW = new CoreClock(10_000, 57);

  private static final double BITS = 8;
  private static final double HERTZ = 1e3;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double MICROS_PER_MILLI = 1e3;

  /** The rate word nearest to a rate, at least 1. */
  int word(double bps) {
    return (int) Math.max(1, Math.round(bps / BITS * tickClocks / (khz * HERTZ)));
  }

  /** The rate that a word stands for, bit/s. */
  double bps(int word) {
    return word * BITS * khz * HERTZ / tickClocks;
  }

  /** Clocks in a time. */
  double clocks(double nanos) {
    return nanos * khz / NANOS_PER_MILLI;
  }

  /** Nanoseconds of some clocks. */
  double nanos(double clocks) {
    return clocks * NANOS_PER_MILLI / khz;
  }

  /** Microseconds of some clocks. */
  double micros(double clocks) {
    return clocks * MICROS_PER_MILLI / khz;
  }

  /** Ticks nearest to a time. */
  int ticks(double nanos) {
    return (int) Math.round(clocks(nanos) / tickClocks);
  }
}
