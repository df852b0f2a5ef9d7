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

  /** Section IV.C: the core "exhibits a similar behavior". */
  private static final double SIMILAR = 1.25;

  /** Section IV.C: the delay falls below the target now and then. */
  private static final double BELOW_TARGET = 0.1;

  private static final double GOODPUT = 0.95;

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

  /**
   * Rows of figure 4.
   *
   * @param all of all queues at 99.9 Gbit/s
   * @param light so few packets that they wait for the search alone
   * @param line with a line of 100 Gbit/s behind the core
   */
  static List<Row> latency(
      CoreBuild build, LineLoad.Result all, LineLoad.Result light, LineLoad.Result line) {
    String key = Integer.toString(build.queues());
    CoreClock clock = build.clock();
    return List.of(
        Row.atMost("jitter.line." + key, MICROS, null, jitter(clock, all), FpgaPaper.jitter(build))
            .asClaimed(),
        // The memories' refresh is longer than a round of 2,048 queues.
        Row.reproduces(
            "jitter.round." + key, MICROS, FpgaPaper.round(build), jitter(clock, light), 0.05),
        Row.plain("jitter.behind." + key, MICROS, null, jitter(clock, line)),
        Row.plain("jitter.whole." + key, MICROS, null, clock.micros(all.at(1) - all.least())),
        Row.plain("latency.least." + key, MICROS, null, clock.micros(all.least())),
        Row.atMost("lost.line." + key, PACKETS, null, all.lost(), 0).asClaimed(),
        Row.atMost("broken.line." + key, PACKETS, null, all.broken(), 0));
  }

  /** Rows of figure 4 by the number of queues in use. */
  static List<Row> inUse(CoreBuild build, int queues, LineLoad.Result result) {
    String key = build.queues() + "." + queues;
    return List.of(
        Row.plain("inUse.latency." + key, MICROS, null, build.clock().micros(result.mean())),
        Row.plain("inUse.jitter." + key, MICROS, null, jitter(build.clock(), result)),
        Row.plain("inUse.lost." + key, PACKETS, null, result.lost()));
  }

  /** Spread of 99 of 100 packets. */
  private static double jitter(CoreClock clock, LineLoad.Result result) {
    return clock.micros(result.at(0.99) - result.least());
  }

  /** Rows of one memory, which is asked for more and more. */
  static List<Row> throughput(List<LineLoad.Result> results) {
    return List.of(
        Row.within(
            "throughput.oneMemory",
            BPS,
            FpgaPaper.ONE_MEMORY_BPS,
            results.stream().mapToDouble(LineLoad.Result::bps).max().orElse(Double.NaN),
            FpgaPaper.ONE_MEMORY_SPREAD_BPS),
        Row.atMost(
            "broken.oneMemory",
            PACKETS,
            null,
            results.stream().mapToLong(LineLoad.Result::broken).sum(),
            0));
  }

  /** Rows of figure 7: the core beside the reference. */
  static List<Row> codel(CodelRun.Result core, CodelRun.Result reference) {
    return List.of(
        near("codel.delay.mean", "ms", reference.meanMillis(), core.meanMillis()),
        near("codel.delay.p95", "ms", reference.p95Millis(), core.p95Millis()),
        Row.atLeast(
                "codel.belowTarget",
                RATIO,
                reference.belowTarget(),
                core.belowTarget(),
                BELOW_TARGET)
            .asClaimed(),
        near("codel.drops", "1/s", reference.dropsPerSecond(), core.dropsPerSecond()),
        Row.atLeast("codel.goodput", BPS, reference.bps(), core.bps(), GOODPUT * reference.bps()),
        Row.atMost("codel.broken", PACKETS, null, core.broken(), 0));
  }

  /** Not more than the reference's value and a quarter. */
  private static Row near(String name, String unit, double reference, double measured) {
    return Row.atMost(name, unit, reference, measured, SIMILAR * reference).asClaimed();
  }
}
