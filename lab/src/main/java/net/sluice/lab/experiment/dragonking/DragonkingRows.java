package net.sluice.lab.experiment.dragonking;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import net.sluice.intents.plan.Table;
import net.sluice.lab.report.Row;
import net.sluice.pipeconf.V1ModelPipeline;

/** The rows of the experiment's runs. */
final class DragonkingRows {
  private static final String RATIO = "1";
  private static final String PACKETS = "packets";
  private static final String MICROS = "us";
  private static final double NANOS_PER_MICRO = 1e3;

  /** The bound of the back-end pipes of the program, bit. */
  private static final double BUFFER_BITS = 120e6;

  private DragonkingRows() {}

  /** The rows of a case alone. */
  static List<Row> oneCase(Load load, ShapedResult result) {
    Departures departures = result.departures();
    List<Row> rows = new ArrayList<>();
    rows.add(accurate("case.accuracy", null, accuracy(load, result)));
    rows.add(accurate("case.worstFlow", null, departures.worstAccuracy()));
    rows.add(Row.atMost("case.maxBurstPackets", PACKETS, null, departures.mostBurstPackets(), 1));
    // What comes above the aggregate has to wait: a gap's worth of it.
    double waitingBits = load.gapNanos() / 1e9 * load.aggregateBps();
    rows.add(
        waitingBits < BUFFER_BITS
            ? Row.atMost("case.lost", PACKETS, null, result.dropped(), 0)
            : Row.plain("case.lost", PACKETS, null, result.dropped()));
    rows.add(Row.plain("case.sent", PACKETS, null, departures.sentPackets()));
    rows.addAll(late("case", departures));
    return rows;
  }

  private static List<Row> late(String prefix, Departures departures) {
    return List.of(
        Row.plain(
            prefix + ".late.mean", MICROS, null, departures.meanLateNanos() / NANOS_PER_MICRO),
        Row.plain(prefix + ".late.p99", MICROS, null, departures.p99LateNanos() / NANOS_PER_MICRO),
        Row.plain(
            prefix + ".late.most", MICROS, null, departures.mostLateNanos() / NANOS_PER_MICRO),
        Row.plain(
            prefix + ".early.most", MICROS, null, departures.mostEarlyNanos() / NANOS_PER_MICRO));
  }

  /** 1 less the part by which the rate of what left is off the aggregate. */
  private static double accuracy(Load load, ShapedResult result) {
    return 1 - Math.abs(result.ofAggregate(load) - 1);
  }

  private static Row accurate(String name, Double baseline, double measured) {
    return Row.atLeast(name, RATIO, baseline, measured, DragonkingPaper.ACCURACY);
  }

  /** Rows of figure 13, and what the same packets are to meters and RegMeter. */
  static List<Row> accuracy(
      String key, Load load, ShapedResult result, Departures meter, double regMeterPart) {
    Departures departures = result.departures();
    List<Row> rows = new ArrayList<>();
    rows.add(
        accurate("accuracy.aggregate." + key, Math.min(1, regMeterPart), accuracy(load, result))
            .asClaimed());
    rows.add(accurate("accuracy.mean." + key, meter.meanAccuracy(), departures.meanAccuracy()));
    rows.add(
        accurate("accuracy.worst." + key, meter.worstAccuracy(), departures.worstAccuracy())
            .asClaimed());
    rows.add(
        Row.atMost(
                "burst." + key, PACKETS, meter.mostBurstPackets(), departures.mostBurstPackets(), 1)
            .asClaimed());
    rows.add(Row.atMost("lost." + key, PACKETS, null, result.dropped(), 0));
    rows.add(Row.plain("accuracy.regmeter." + key, RATIO, null, Math.min(1, regMeterPart)));
    rows.addAll(late(key, departures));
    return rows;
  }

  /** Rows of few limits of many Gbit/s, whose packets leave in trains of a loop's round. */
  static List<Row> few(Load load, ShapedResult result) {
    Departures departures = result.departures();
    List<Row> rows = new ArrayList<>();
    rows.add(accurate("few.accuracy.all", null, accuracy(load, result)));
    rows.add(accurate("few.accuracy.worst", null, departures.worstAccuracy()));
    rows.add(Row.atMost("few.lost", PACKETS, null, result.dropped(), 0));
    rows.add(Row.plain("few.burst", PACKETS, null, departures.mostBurstPackets()));
    rows.addAll(late("few", departures));
    return rows;
  }

  /** Goodput and drops before one limit, beside the models. */
  static List<Row> bursty(
      String key, ShapedResult result, Map<Baseline, Supplier<Departures>> others) {
    List<Row> rows = new ArrayList<>();
    double goodput = 1 - loss(result);
    rows.add(Row.plain("bursty.goodput." + key, RATIO, null, goodput));
    rows.add(Row.plain("bursty.drops." + key, RATIO, null, loss(result)));
    others.forEach(
        (baseline, run) -> {
          double drops = run.get().lossRate();
          double useful = 1 - drops;
          rows.add(Row.plain("bursty.goodput." + baseline.key() + "." + key, RATIO, null, useful));
          rows.add(Row.plain("bursty.drops." + baseline.key() + "." + key, RATIO, null, drops));
          rows.add(
              Row.reproduces(
                      "bursty.over" + capital(baseline.key()) + "." + key,
                      RATIO,
                      DragonkingPaper.goodputOver(baseline),
                      goodput / useful,
                      DragonkingPaper.TOLERANCE)
                  .besideBaseline(1));
        });
    rows.add(
        Row.plain(
            "bursty.burst." + key,
            PACKETS,
            others.get(Baseline.METER).get().mostBurstPackets(),
            result.departures().mostBurstPackets()));
    return rows;
  }

  /** The same bursts of one subscriber alone, whose packets keep their order. */
  static List<Row> single(ShapedResult result) {
    return List.of(
        Row.plain("bursty.goodput.oneSubscriber", RATIO, null, 1 - loss(result)),
        Row.plain("bursty.drops.oneSubscriber", RATIO, null, loss(result)));
  }

  private static double loss(ShapedResult result) {
    return (double) result.dropped() / result.departures().arrivedPackets();
  }

  private static String capital(String key) {
    return key.substring(0, 1).toUpperCase(Locale.ROOT) + key.substring(1);
  }

  /**
   * Rows of figure 21.
   *
   * @param still without redistribution
   * @param none without an agent
   */
  static List<Row> loops(String key, ShapedResult both, ShapedResult still, ShapedResult none) {
    return List.of(
        Row.notAbove("balance.cv." + key, RATIO, still.unevenness(), both.unevenness()),
        Row.plain("balance.cv.withoutAgent." + key, RATIO, null, none.unevenness()),
        Row.plain("balance.reduction." + key, RATIO, null, evened(both, still)),
        Row.plain("deviation.withoutAgent." + key, MICROS, null, meanMicros(none)));
  }

  /**
   * Rows of figure 22: where packets leave by the front pipe alone, and what it is to let them
   * leave by any.
   *
   * @param front by the front pipe alone
   * @param frontBlind the same without the window by start times
   * @param any by any pipe
   * @param anyBlind the same without the window by start times
   */
  static List<Row> startTimes(
      String key,
      ShapedResult front,
      ShapedResult frontBlind,
      ShapedResult any,
      ShapedResult anyBlind) {
    return List.of(
        Row.notAbove("deviation.mean." + key, MICROS, meanMicros(frontBlind), meanMicros(front)),
        Row.notAbove("deviation.p99." + key, MICROS, p99Micros(frontBlind), p99Micros(front)),
        Row.plain("deviation.reduction." + key, RATIO, null, sooner(front, frontBlind)),
        noLater("deviation.anyPipe.mean." + key, meanMicros(any), meanMicros(front)),
        noLater("deviation.anyPipe.p99." + key, p99Micros(any), p99Micros(front)),
        Row.plain("deviation.anyPipe.blind." + key, MICROS, null, meanMicros(anyBlind)));
  }

  private static Row noLater(String name, double with, double without) {
    return Row.atMost(name, MICROS, without, with, without);
  }

  /** The part of the pipes' unevenness that redistribution takes away. */
  static double evened(ShapedResult both, ShapedResult still) {
    return 1 - both.unevenness() / still.unevenness();
  }

  /** The part of the mean lateness that the window by start times takes away. */
  static double sooner(ShapedResult front, ShapedResult blind) {
    return 1 - meanMicros(front) / meanMicros(blind);
  }

  /** A part that the paper takes away at most: the most of all gaps. */
  static Row mostReduction(String name, double paper, double measured) {
    return Row.reproduces(name, RATIO, paper, measured, DragonkingPaper.TOLERANCE)
        .besideBaseline(0);
  }

  private static double meanMicros(ShapedResult result) {
    return result.departures().meanLateNanos() / NANOS_PER_MICRO;
  }

  private static double p99Micros(ShapedResult result) {
    return result.departures().p99LateNanos() / NANOS_PER_MICRO;
  }

  /**
   * Rows of the control side.
   *
   * @param entries written in the switch's process
   */
  static List<Row> control(EntryRate.Rates entries) {
    Table table = Table.SUBSCRIBER_LIMIT;
    return List.of(
        Row.atLeast(
                "updates.perSecond",
                "entries/s",
                null,
                entries.ofProcessor(),
                DragonkingPaper.LEAST_UPDATES_PER_SECOND)
            .asClaimed(),
        Row.plain("updates.perWallSecond", "entries/s", null, entries.ofWall()),
        Row.atLeast(
                "capacity.limits",
                "limits",
                null,
                V1ModelPipeline.load().entries().size(table),
                DragonkingPaper.LIMITS)
            .asClaimed());
  }

  /** A row of figure 20. */
  static Row sensitivity(String key, ShapedResult result) {
    return Row.plain("sensitivity." + key, MICROS, null, meanMicros(result));
  }
}
