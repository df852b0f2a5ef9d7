package net.sluice.lab.experiment.fpga;

import java.util.List;
import net.sluice.lab.report.Row;

/** The rows of the experiment's runs. */
final class FpgaRows {
  private static final String RATIO = "1";
  private static final String MICROS = "us";
  private static final String PACKETS = "packets";
  private static final String BPS = "bit/s";

  /** Part of its rate that a queue may be off over a long time. */
  private static final double RATE_ERROR = 0.0005;

  private FpgaRows() {}

  /** The rows of a case alone. */
  static List<Row> oneCase(Flood flood, Flood.Result result) {
    CoreClock clock = flood.build().clock();
    return List.of(
        Row.atMost("case.rateError", RATIO, null, result.worstRateError(), mostRateError(flood)),
        Row.atMost(
            "case.maxGapMicros",
            MICROS,
            clock.micros(flood.packetClocks()),
            clock.micros(result.mostGapClocks()),
            clock.micros(mostGapClocks(flood))),
        Row.atMost("case.reordered", PACKETS, null, result.reordered(), 0),
        Row.atMost("case.lost", PACKETS, null, result.lost(), 0),
        Row.atMost("case.broken", PACKETS, null, result.broken(), 0),
        Row.plain("case.requestedBps", BPS, null, flood.bps()),
        Row.plain("case.grantedBps", BPS, null, clock.bps(result.word())),
        Row.plain("case.meanGapMicros", MICROS, null, clock.micros(result.meanGapClocks())),
        Row.plain("case.minGapMicros", MICROS, null, clock.micros(result.leastGapClocks())),
        Row.plain("case.sent", PACKETS, null, result.sent()));
  }

  private static double mostRateError(Flood flood) {
    return RATE_ERROR + flood.lateness();
  }

  /** A packet's time at its rate, up to the tick that it may leave in, and a look at its queue. */
  private static double mostGapClocks(Flood flood) {
    double ticks = Math.ceil(flood.packetClocks() / flood.build().clock().tickClocks());
    return ticks * flood.build().clock().tickClocks() + flood.roundClocks();
  }

  /** Rows of figure 6. */
  static List<Row> gaps(boolean large, Flood flood, Flood.Result result) {
    CoreClock clock = flood.build().clock();
    String key = large ? "262144" : "2048";
    double packet = clock.micros(flood.packetClocks());
    return List.of(
        Row.reproduces(
            "gap.mean." + key,
            MICROS,
            flood.packetBytes() * 8e6 / flood.bps(),
            clock.micros(result.meanGapClocks()),
            0.01),
        Row.atMost(
            "gap.most." + key,
            MICROS,
            packet,
            clock.micros(result.mostGapClocks()),
            clock.micros(mostGapClocks(flood))),
        // Two packets together would be no gap at all.
        Row.atLeast(
            "gap.least." + key,
            MICROS,
            packet,
            clock.micros(result.leastGapClocks()),
            packet - clock.micros(clock.tickClocks() + flood.roundClocks())),
        Row.atMost("rateError." + key, RATIO, null, result.worstRateError(), mostRateError(flood)),
        Row.atMost("lost.gaps." + key, PACKETS, null, result.lost(), 0),
        Row.atMost("reordered.gaps." + key, PACKETS, null, result.reordered(), 0));
  }
}
