package net.sluice.intents.verdict;

/**
 * The signs by which one sees that a subscriber is held back, and where.
 *
 * @param atLimit a limit dropped some of it, or had it wait
 * @param atPort a port, or an FPGA, dropped some of it
 * @param mayBeElastic it loses so little that it may be one that slows down
 * @param fpga an FPGA enforces one of its limits, which drops what is told as lost at a port
 */
record Signs(boolean atLimit, boolean atPort, boolean mayBeElastic, boolean fpga) {
  /** Under a limit packets wait no longer than this unless it holds them back, ms. */
  private static final double WAIT_MILLIS = 5;

  /** The part of what it offers that it loses at a limit, from which on that is one. */
  private static final double LIMIT_LOSS = 0.0002;

  /** The same at a port, where what waits at the begin and at the end is in the difference. */
  private static final double PORT_LOSS = 0.003;

  static Signs of(TrafficLoad load, boolean fpga) {
    double offeredBps = load.offeredBps();
    if (offeredBps <= 0) {
      return new Signs(false, false, false, fpga);
    }
    return new Signs(
        load.limitedBps() > LIMIT_LOSS * offeredBps || load.waitMillis() >= WAIT_MILLIS,
        load.lostBps() > PORT_LOSS * offeredBps,
        load.limitedBps() + load.lostBps() <= Tally.UNRESPONSIVE * offeredBps,
        fpga);
  }

  /**
   * The part of what one who slows down could have that it has at least. What loses much gets far
   * less; what loses nothing, or little, is near its share, or lost packets of a burst.
   */
  double needed() {
    if (!any()) {
      return SwitchStanding.ITS_LIMIT;
    }
    return mayBeElastic ? 0.75 : 0.4;
  }

  /** The same of one that has what a full port leaves it, whether it loses packets or not. */
  Signs atFullPort() {
    return new Signs(atLimit, true, mayBeElastic, fpga);
  }

  boolean any() {
    return atLimit || atPort;
  }

  int bits() {
    return (atLimit ? 1 : 0) | (atPort ? 2 : 0) | (mayBeElastic ? 4 : 0) | (fpga ? 8 : 0);
  }

  static Signs ofBits(int bits) {
    return new Signs((bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0);
  }
}
