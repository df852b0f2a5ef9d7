package net.sluice.lab.experiment.dragonking;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import net.sluice.emulator.netsim.Prng;
import net.sluice.gates.loop.GateLoop;
import net.sluice.gates.loop.LoopSettings;
import net.sluice.lab.experiment.Cases;
import net.sluice.lab.experiment.Experiment;
import net.sluice.lab.experiment.Notes;
import net.sluice.lab.report.PaperFigure;
import net.sluice.lab.report.Row;
import net.sluice.lab.report.RunPage;
import net.sluice.lab.report.RunReport;
import net.sluice.lab.report.VerdictText;
import net.sluice.lab.support.Progress;

/**
 * The evaluation of paper 004.
 *
 * @param options what to run
 */
record DragonkingExperiment(DragonkingOptions options) implements Experiment {
  static final String NAME = "dragonking";

  /** Figure 13. */
  static final List<Integer> AGGREGATES_GBPS = List.of(10, 25, 40, 50, 75, 100);

  /** Figures 21 and 22: time between bursts, us. */
  static final List<Integer> GAPS_MICROS = List.of(500, 200, 100, 50);

  /** Figure 20. */
  static final List<Double> STEPS = List.of(-0.005, -0.015, -0.025, -0.035, -0.045);

  static final List<Integer> DEAD_BANDS_MICROS = List.of(10, 40, 90);

  private static final long GIGA = 1_000_000_000L;
  private static final long NANOS_PER_MICRO = 1_000;
  private static final long FLOW_BPS = 60_000;
  private static final int PACKET_BYTES = 1_500;
  private static final int QUICK_DIVISOR = 100;

  /** Section V-D: the limit in front of which bursts come, of so many subscribers together. */
  private static final long BURSTY_LIMIT_BPS = 90 * GIGA;

  private static final int BURSTY_SUBSCRIBERS = 10_000;
  private static final long BURSTY_NANOS = 100_000_000;
  private static final long QUICK_BURSTY_NANOS = 20_000_000;

  /** The load of the loops' figures: 10,000 limits of 6 Mbit/s. */
  private static final long LOOPS_AGGREGATE_BPS = 60 * GIGA;

  private static final long LOOPS_LIMIT_BPS = 6_000_000;
  private static final long LOOPS_NANOS = 20_000_000;
  private static final long GAP_NANOS = 100 * NANOS_PER_MICRO;

  /** Limits whose packets are closer together than a loop's round. */
  private static final Load FEW = Load.of(40 * GIGA, 10 * GIGA, PACKET_BYTES, GAP_NANOS);

  /** A limit's rate is known from five of its packets. */
  private static final double PACKETS_A_LIMIT = 5;

  private static final double ENTRIES_AS_PACKETS = 2e6;
  private static final long LEAST_NANOS = 50_000_000;
  private static final Load SAMPLE = Load.of(10 * GIGA, 6_000_000, PACKET_BYTES, GAP_NANOS);
  private static final long SAMPLE_NANOS = 5_000_000;

  /** A load through the program. */
  private record Shaped(Load load, Supplier<ShapedResult> result) {}

  @Override
  public double samplePackets() {
    return 2 * work(SAMPLE, SAMPLE_NANOS);
  }

  @Override
  public ShapedResult sample(Progress progress) {
    run(SAMPLE, Optional.of(GateLoop.of(LoopSettings.PAPER)), SAMPLE_NANOS);
    progress.at(0.5, "as fast as Java gets");
    return run(SAMPLE, Optional.of(GateLoop.of(LoopSettings.PAPER)), SAMPLE_NANOS);
  }

  private ShapedResult run(Load load, Optional<GateLoop> loop, long nanos) {
    return ShapedRun.run(load, loop, nanos, options.seed());
  }

  /** Passes through the switch that a run takes about: packets come, and others wait in loops. */
  private static double work(Load load, long nanos) {
    return nanos
        / 1e9
        * (load.aggregateBps() + ShapedRun.PIPES * (double) Load.LINE_BPS)
        / load.packetBits();
  }

  /** As long as a case lasts by itself. */
  static long nanos(Load load) {
    return Math.max(LEAST_NANOS, Math.round(PACKETS_A_LIMIT * load.spacingNanos()));
  }

  @Override
  public Supplier<Outcome> plan(Cases cases) {
    if (options.oneCase() != null) {
      Shaped shaped = add(cases, "case", options.oneCase(), nanos(options.oneCase()));
      return () -> outcome(DragonkingRows.oneCase(shaped.load(), shaped.result().get()));
    }
    List<Supplier<List<Row>>> parts = new ArrayList<>();
    for (int gbps : AGGREGATES_GBPS) {
      parts.add(accuracy(cases, gbps));
    }
    parts.add(few(cases));
    parts.add(bursty(cases));
    parts.add(balance(cases));
    parts.add(sensitivity(cases));
    Supplier<EntryRate.Rates> entries =
        cases.add("entries", ENTRIES_AS_PACKETS, progress -> EntryRate.measure());
    parts.add(() -> DragonkingRows.control(entries.get()));
    return () ->
        outcome(
            parts.stream()
                .flatMap(part -> part.get().stream())
                .map(DragonkingPaper.VALUES::beside)
                .toList());
  }

  private Supplier<List<Row>> accuracy(Cases cases, int gbps) {
    Load load =
        Load.of(
            gbps * GIGA / (options.quick() ? QUICK_DIVISOR : 1), FLOW_BPS, PACKET_BYTES, GAP_NANOS);
    Shaped shaped = add(cases, gbps + " Gbit/s of 60 kbit/s each", load, nanos(load));
    Load full = Load.of(gbps * GIGA, FLOW_BPS, PACKET_BYTES, GAP_NANOS);
    Supplier<Departures> regMeter = add(cases, Baseline.REG_METER, full, nanos(full));
    Supplier<Departures> meter = add(cases, Baseline.METER, full, nanos(full));
    return () ->
        DragonkingRows.accuracy(
            gbps + "G",
            load,
            shaped.result().get(),
            meter.get(),
            regMeter.get().sentBps(nanos(full)) / full.aggregateBps());
  }

  private Supplier<List<Row>> few(Cases cases) {
    Shaped shaped = add(cases, "4 limits of 10 Gbit/s", FEW, nanos(FEW));
    return () -> DragonkingRows.few(FEW, shaped.result().get());
  }

  private Supplier<List<Row>> bursty(Cases cases) {
    long nanos = options.quick() ? QUICK_BURSTY_NANOS : BURSTY_NANOS;
    List<Supplier<List<Row>>> parts = new ArrayList<>();
    for (int gap : GAPS_MICROS) {
      Load load =
          Load.published(BURSTY_SUBSCRIBERS, BURSTY_LIMIT_BPS, PACKET_BYTES, gap * NANOS_PER_MICRO);
      Shaped shaped = add(cases, "bursts every " + gap + " us", load, nanos);
      Map<Baseline, Supplier<Departures>> others = new EnumMap<>(Baseline.class);
      for (Baseline baseline : Baseline.values()) {
        others.put(baseline, add(cases, baseline, load, nanos));
      }
      parts.add(() -> DragonkingRows.bursty(gap + "us", shaped.result().get(), others));
    }
    Shaped single =
        add(
            cases,
            "bursts of one subscriber",
            Load.published(1, BURSTY_LIMIT_BPS, PACKET_BYTES, GAP_NANOS),
            nanos);
    parts.add(() -> DragonkingRows.single(single.result().get()));
    return () -> parts.stream().flatMap(part -> part.get().stream()).toList();
  }

  private Supplier<List<Row>> balance(Cases cases) {
    List<Supplier<List<Row>>> parts = new ArrayList<>();
    List<DoubleSupplier> evened = new ArrayList<>();
    List<DoubleSupplier> sooner = new ArrayList<>();
    for (int gap : GAPS_MICROS) {
      Load load =
          Load.of(LOOPS_AGGREGATE_BPS, LOOPS_LIMIT_BPS, PACKET_BYTES, gap * NANOS_PER_MICRO);
      String name = "loops, bursts every " + gap + " us";
      Shaped both = loops(cases, name, load, new GateLoop(LoopSettings.PAPER, true, true));
      Shaped still =
          loops(
              cases,
              name + ", without redistribution",
              load,
              new GateLoop(LoopSettings.PAPER, false, true));
      Shaped blind =
          loops(
              cases,
              name + ", without start times",
              load,
              new GateLoop(LoopSettings.PAPER, true, false));
      Supplier<ShapedResult> none =
          cases.add(
              name + ", without agent",
              work(load, LOOPS_NANOS),
              progress -> run(load, Optional.empty(), LOOPS_NANOS));
      Shaped front = front(cases, name, load, new GateLoop(LoopSettings.PAPER, true, true));
      Shaped frontBlind =
          front(
              cases,
              name + ", without start times",
              load,
              new GateLoop(LoopSettings.PAPER, true, false));
      parts.add(
          () ->
              DragonkingRows.loops(
                  gap + "us", both.result().get(), still.result().get(), none.get()));
      parts.add(
          () ->
              DragonkingRows.startTimes(
                  gap + "us",
                  front.result().get(),
                  frontBlind.result().get(),
                  both.result().get(),
                  blind.result().get()));
      evened.add(() -> DragonkingRows.evened(both.result().get(), still.result().get()));
      sooner.add(() -> DragonkingRows.sooner(front.result().get(), frontBlind.result().get()));
    }
    parts.add(
        () ->
            List.of(
                DragonkingRows.mostReduction("balance.most", DragonkingPaper.EVENED, most(evened)),
                DragonkingRows.mostReduction(
                    "deviation.most", DragonkingPaper.SOONER, most(sooner))));
    return () -> parts.stream().flatMap(part -> part.get().stream()).toList();
  }

  private static double most(List<DoubleSupplier> of) {
    return of.stream().mapToDouble(DoubleSupplier::getAsDouble).max().orElseThrow();
  }

  private Supplier<List<Row>> sensitivity(Cases cases) {
    // The longest gap: packets are late by more than h.
    Load load =
        Load.of(
            LOOPS_AGGREGATE_BPS,
            LOOPS_LIMIT_BPS,
            PACKET_BYTES,
            GAPS_MICROS.get(0) * NANOS_PER_MICRO);
    Map<String, Shaped> runs = new LinkedHashMap<>();
    for (double step : STEPS) {
      LoopSettings settings = LoopSettings.PAPER.with(step, LoopSettings.PAPER.deadBandNanos());
      runs.put("delta" + step, front(cases, "delta " + step, load, GateLoop.of(settings)));
    }
    for (int micros : DEAD_BANDS_MICROS) {
      LoopSettings settings =
          LoopSettings.PAPER.with(LoopSettings.PAPER.step(), micros * (double) NANOS_PER_MICRO);
      runs.put("h" + micros, front(cases, "h " + micros, load, GateLoop.of(settings)));
    }
    return () -> {
      List<Row> rows = new ArrayList<>();
      runs.forEach((name, run) -> rows.add(DragonkingRows.sensitivity(name, run.result().get())));
      return rows;
    };
  }

  private Shaped loops(Cases cases, String name, Load load, GateLoop loop) {
    return loops(cases, name, load, new ShapedRun.Agent(loop, LOOPS_NANOS));
  }

  /** The same where packets leave by the front pipe alone, as in the paper. */
  private Shaped front(Cases cases, String name, Load load, GateLoop loop) {
    return loops(
        cases, name + ", front pipe alone", load, new ShapedRun.Agent(loop, LOOPS_NANOS, true));
  }

  private Shaped loops(Cases cases, String name, Load load, ShapedRun.Agent agent) {
    return new Shaped(
        load,
        cases.add(
            name,
            work(load, LOOPS_NANOS),
            progress ->
                ShapedRun.run(
                    load,
                    Optional.of(agent),
                    LOOPS_NANOS,
                    options.seed(),
                    (limit, start, at) -> {})));
  }

  private Shaped add(Cases cases, String name, Load load, long nanos) {
    return new Shaped(
        load,
        cases.add(
            name,
            work(load, nanos),
            progress -> run(load, Optional.of(GateLoop.of(LoopSettings.PAPER)), nanos)));
  }

  private Supplier<Departures> add(Cases cases, Baseline baseline, Load load, long nanos) {
    // A packet of a model takes about a twentieth of one through the switch.
    return cases.add(
        baseline.key(),
        nanos / 1e9 * load.aggregateBps() / load.packetBits() / 20,
        progress -> baseline.run(load, nanos, new Prng(options.seed())));
  }

  private Outcome outcome(List<Row> rows) {
    RunReport report = new RunReport(NAME, options.seed(), rows);
    List<PaperFigure> figures = DragonkingFigures.of(rows);
    List<String> notes = Notes.of(NAME);
    return new Outcome(
        report,
        VerdictText.of(figures, rows),
        notes,
        RunPage.page(
            "DragonKing: paper and measured", report, options.scope(), figures, Map.of(), notes));
  }
}
