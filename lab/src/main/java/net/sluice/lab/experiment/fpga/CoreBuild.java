package net.sluice.lab.experiment.fpga;

import java.util.List;

/**
 * A build of the core, by those of its parameters that differ between the experiment's builds.
 *
 * @param name for people
 * @param queueBits 2^n queues
 * @param limited whether each queue has a token bucket (the simple scheduler)
 * @param codel whether CoDel is built in
 * @param memories external memories, 1 or 2
 * @param dataBytes bytes a clock
 * @param clock clock and ticks
 */
record CoreBuild(
    String name,
    int queueBits,
    boolean limited,
    boolean codel,
    int memories,
    int dataBytes,
    CoreClock clock) {
  private static final int BUFFERS = 131_072;
  private static final int LINE_BYTES = 64;
  private static final int SMALL_BITS = 11;
  private static final int LARGE_BITS = 18;

  /** 2,048 queues, or 262,144, without limits. */
  static CoreBuild unlimited(boolean large, int memories) {
    return new CoreBuild(
        (large ? "262,144" : "2,048") + " queues, " + memories + " DDR4, no limits",
        large ? LARGE_BITS : SMALL_BITS,
        false,
        false,
        memories,
        LINE_BYTES,
        CoreClock.PAPER);
  }

  /** 2,048 queues, or 262,144, each with its rate. */
  static CoreBuild limited(boolean large) {
    return new CoreBuild(
        (large ? "262,144" : "2,048") + " queues, 2 DDR4, simple scheduler",
        large ? LARGE_BITS : SMALL_BITS,
        true,
        false,
        2,
        LINE_BYTES,
        CoreClock.PAPER);
  }

  /**
   * Few queues with CoDel, on a slow clock with ticks of the same length: the limiter and CoDel
   * compute the same, and seconds are simulated in minutes.
   */
  static CoreBuild managed() {
    return new CoreBuild(
        "1,024 queues, simple scheduler, CoDel", 10, true, true, 1, 16, CoreClock.SLOW);
  }

  /** Number of queues. */
  int queues() {
    return 1 << queueBits;
  }

  /** Clocks that the search takes past all queues while they are empty. */
  int roundClocks() {
    return queues() / 32;
  }

  /** The core's parameters as its build takes them. */
  List<String> parameters() {
    return List.of(
        "QUEUE_BITS=" + queueBits,
        "LEVELS=" + (limited ? 1 : 0),
        "CODEL=" + (codel ? 1 : 0),
        "EXTERNAL_MEMORIES=" + memories,
        "LARGE_BLOCKS=" + BUFFERS,
        "SMALL_BLOCKS=0",
        "DATA_BYTES=" + dataBytes,
        "TICK_CLOCKS=" + clock.tickClocks(),
        "CLOCK_KHZ=" + clock.khz());
  }
}
