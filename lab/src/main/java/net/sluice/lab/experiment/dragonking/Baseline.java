package net.sluice.lab.experiment.dragonking;

import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.Prng;

/** Models of the limiters that paper 004 compares with, in front of a line with a buffer. */
enum Baseline {
  /** Nimble: the switch's own meters, CBS 10 Mbit, PBS 16 Mbit. */
  METER("meter", 16_000_000, 1, -1L),
  /**
   * RegMeter: buckets in registers, both of 10 Mbit. The packets that refill them take at least 43
   * % of the line (the paper's section II-C).
   */
  REG_METER("regmeter", 10_000_000, 1 - 0.43, -1L),
  /** SwRL: tokens by the time since the last packet, whose 4 bytes wrap after 4.29 s of ns. */
  SWRL("swrl", 16_000_000, 1, 0xffff_ffffL);

  /** The paper's bound of the back-end pipes, given to the baselines' line as well. */
  private static final long BUFFER_BITS = 120_000_000;

  private final String key;
  private final long peakBits;
  private final double lineShare;
  private final long clockMask;

  Baseline(String key, long peakBits, double lineShare, long clockMask) {
    this.key = key;
    this.peakBits = peakBits;
    this.lineShare = lineShare;
    this.clockMask = clockMask;
  }

  /** Its part of rows' names. */
  String key() {
    return key;
  }

  /** Sends a load through it for a while. */
  Departures run(Load load, long nanos, Prng random) {
    BaselineMeters buckets =
        new BaselineMeters(load.limits(), load.limitBps(), peakBits, clockMask);
    LineClock line = new LineClock(Math.round(lineShare * Load.LINE_BPS));
    Departures departures = new Departures(load, 0);
    LoadArrivals arrivals = new LoadArrivals(load, 0, random);
    for (arrivals.next(); arrivals.nanos() < nanos; arrivals.next()) {
      long now = arrivals.nanos();
      int limit = load.limitOf(arrivals.limit());
      long tag = departures.arrived(limit, now);
      double queuedBits = Math.max(0, line.endNanos() - now) * line.rateBps() / 1e9;
      if (queuedBits + load.packetBits() <= BUFFER_BITS
          && buckets.admits(limit, now, load.packetBits())) {
        long sent = line.send(now, load.packetBits());
        if (sent < nanos) {
          departures.sent(tag, sent);
        } else {
          departures.underWay();
        }
      }
    }
    return departures;
  }
}
