package net.sluice.lab.experiment.fpga;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import net.sluice.lab.experiment.Cases;
import net.sluice.lab.experiment.Experiment;
import net.sluice.lab.experiment.Notes;
import net.sluice.lab.report.PaperFigure;
import net.sluice.lab.report.Row;
import net.sluice.lab.report.RunPage;
import net.sluice.lab.report.RunReport;
import net.sluice.lab.report.VerdictText;
import net.sluice.lab.report.chart.HtmlPage;
import net.sluice.lab.support.Progress;

/** The evaluation of paper 001. */
final class FpgaExperiment implements Experiment {
  static final String NAME = "fpga";

  /** Section IV.B. */
  private static final long LIMIT_BPS = 100_000_000;

  private static final int LIMIT_PACKET_BYTES = 1_000;
  private static final int LIMIT_PACKETS = 3_000;

  /** Section IV.A. */
  private static final double LINE_BPS = 99.9e9;

  private static final long BEHIND_BPS = 100_000_000_000L;
  private static final int LINE_PACKETS = 400_000;

  /** So little that a packet waits for the search alone. */
  private static final double LIGHT_BPS = 2e9;

  private static final int LIGHT_PACKETS = 20_000;

  /** One memory is asked for so much, one after the other. */
  private static final int LEAST_MEMORY_GBPS = 56;

  private static final int MOST_MEMORY_GBPS = 80;
  private static final int MEMORY_STEP_GBPS = 2;
  private static final int MEMORY_PACKETS = 100_000;

  private static final List<Integer> SMALL_QUEUES = List.of(8, 32, 128, 512, 2_048);
  private static final List<Integer> LARGE_QUEUES = List.of(1_024, 4_096, 32_768, 262_144);

  private static final int TCP_SECONDS = 30;
  private static final int QUICK_TCP_SECONDS = 5;

  /** Time of a clock of the small core, and of the reference, in clocks of the large one. */
  private static final double TCP_CLOCK_PACE = 0.5;

  private static final double REFERENCE_PACE = 0.02;

  private static final int QUICK_DIVISOR = 10;
  private static final int SAMPLE_PACKETS = 100;

  /** Clocks of a packet at 99.9 Gbit/s: what takes as long is told as so many packets. */
  private static final double LINE_PACKET_CLOCKS = 26.5;

  private final FpgaOptions options;
  private final CorePrograms programs;
  private final Map<String, HtmlPage.Figure> charts = new LinkedHashMap<>();

  /** The experiment on builds of the core. */
  FpgaExperiment(FpgaOptions options, CorePrograms programs) {
    this.options = options;
    this.programs = programs;
  }

  /** The builds that a run needs. */
  static List<CoreBuild> builds(FpgaOptions options) {
    return options.oneCase() != null
        ? List.of(options.oneCase().build())
        : List.of(
            CoreBuild.limited(false),
            CoreBuild.limited(true),
            CoreBuild.unlimited(false, 2),
            CoreBuild.unlimited(true, 2),
            CoreBuild.unlimited(false, 1),
            CoreBuild.managed());
  }

  private Flood sampled() {
    return new Flood(
        builds(options).get(0), 1, LIMIT_BPS, LIMIT_PACKET_BYTES, SAMPLE_PACKETS, options.seed());
  }

  @Override
  public double samplePackets() {
    return 2 * sampled().clocks() / LINE_PACKET_CLOCKS;
  }

  @Override
  public Flood.Result sample(Progress progress) throws IOException {
    sampled().run(programs, what -> {});
    progress.at(0.5, "as fast as Java gets");
    return sampled().run(programs, what -> {});
  }

  @Override
  public Supplier<Outcome> plan(Cases cases) {
    if (options.oneCase() != null) {
      Supplier<Flood.Result> result = add(cases, "case", options.oneCase());
      return () -> outcome(FpgaRows.oneCase(options.oneCase(), result.get()));
    }
    List<Supplier<List<Row>>> parts = new ArrayList<>();
    for (boolean large : new boolean[] {false, true}) {
      parts.add(latency(cases, large));
    }
    parts.add(throughput(cases));
    for (boolean large : new boolean[] {false, true}) {
      parts.add(gaps(cases, large));
    }
    parts.add(codel(cases));
    Supplier<List<Row>> resources = cases.add("Table I", 1, progress -> programs.resources());
    parts.add(resources);
    return () ->
        outcome(
            parts.stream()
                .flatMap(part -> part.get().stream())
                .map(FpgaPaper.VALUES::beside)
                .toList());
  }

  private LineLoad load(CoreBuild build, int queues, double lineBps, long behindBps, int packets) {
    return new LineLoad(
        build,
        queues,
        lineBps,
        behindBps,
        packets / (options.quick() ? QUICK_DIVISOR : 1),
        options.seed());
  }

  private Supplier<LineLoad.Result> add(Cases cases, String name, LineLoad load) {
    return cases.add(
        name, load.clocks() / LINE_PACKET_CLOCKS, progress -> load.run(programs, progress));
  }

  /** Figure 4, by how many queues are in use, and what the search alone adds. */
  private Supplier<List<Row>> latency(Cases cases, boolean large) {
    CoreBuild build = CoreBuild.unlimited(large, 2);
    Map<Integer, Supplier<LineLoad.Result>> runs = new LinkedHashMap<>();
    for (int queues : large ? LARGE_QUEUES : SMALL_QUEUES) {
      runs.put(
          queues,
          add(
              cases,
              "99.9 Gbit/s of " + queues + " queues, " + build.name(),
              load(build, queues, LINE_BPS, 0, LINE_PACKETS)));
    }
    Supplier<LineLoad.Result> light =
        add(
            cases,
            "2 Gbit/s, " + build.name(),
            load(build, build.queues(), LIGHT_BPS, 0, LIGHT_PACKETS));
    Supplier<LineLoad.Result> line =
        add(
            cases,
            "99.9 Gbit/s before a line of 100, " + build.name(),
            load(build, build.queues(), LINE_BPS, BEHIND_BPS, LINE_PACKETS));
    return () -> {
      LineLoad.Result all = runs.get(build.queues()).get();
      charts.put(
          "figure 4: " + build.name(), FpgaCharts.latency(build, all, options.quick() ? 1 : 10));
      List<Row> rows = new ArrayList<>(FpgaRows.latency(build, all, light.get(), line.get()));
      runs.forEach((queues, run) -> rows.addAll(FpgaRows.inUse(build, queues, run.get())));
      return rows;
    };
  }

  /** Throughput with one external memory. */
  private Supplier<List<Row>> throughput(Cases cases) {
    CoreBuild build = CoreBuild.unlimited(false, 1);
    List<Supplier<LineLoad.Result>> runs = new ArrayList<>();
    for (int gbps = LEAST_MEMORY_GBPS; gbps <= MOST_MEMORY_GBPS; gbps += MEMORY_STEP_GBPS) {
      runs.add(
          add(
              cases,
              gbps + " Gbit/s, " + build.name(),
              load(build, build.queues(), gbps * 1e9, 0, MEMORY_PACKETS)));
    }
    return () -> FpgaRows.throughput(runs.stream().map(Supplier::get).toList());
  }

  /** Figure 7. */
  private Supplier<List<Row>> codel(Cases cases) {
    CodelRun run = new CodelRun(options.quick() ? QUICK_TCP_SECONDS : TCP_SECONDS, options.seed());
    Supplier<CodelRun.Result> core =
        cases.add(
            "CoDel under TCP",
            TCP_CLOCK_PACE * run.clocks() / LINE_PACKET_CLOCKS,
            progress -> run.core(programs, progress));
    Supplier<CodelRun.Result> reference =
        cases.add(
            "the reference under TCP",
            REFERENCE_PACE * run.clocks() / LINE_PACKET_CLOCKS,
            progress -> run.reference());
    return () -> {
      charts.put("figure 7", FpgaCharts.codel(core.get(), reference.get()));
      return FpgaRows.codel(core.get(), reference.get());
    };
  }

  private Supplier<Flood.Result> add(Cases cases, String name, Flood flood) {
    return cases.add(
        name, flood.clocks() / LINE_PACKET_CLOCKS, progress -> flood.run(programs, progress));
  }

  private Supplier<List<Row>> gaps(Cases cases, boolean large) {
    Flood flood =
        new Flood(
            CoreBuild.limited(large),
            1,
            LIMIT_BPS,
            LIMIT_PACKET_BYTES,
            LIMIT_PACKETS / (options.quick() ? QUICK_DIVISOR : 1),
            options.seed());
    Supplier<Flood.Result> result =
        add(cases, "gaps at 100 Mbit/s, " + flood.build().name(), flood);
    return () -> {
      charts.put("figure 6: " + flood.build().name(), FpgaCharts.gaps(flood, result.get()));
      return FpgaRows.gaps(large, flood, result.get());
    };
  }

  private Outcome outcome(List<Row> rows) {
    RunReport report = new RunReport(NAME, options.seed(), rows);
    List<PaperFigure> figures = FpgaFigures.of(rows);
    return new Outcome(
        report,
        VerdictText.of(figures, rows),
        Notes.of(NAME),
        RunPage.page(
            "Queueing FPGA: paper and measured",
            report,
            options.scope(),
            figures,
            charts.isEmpty()
                ? Map.of()
                : Map.of("As the paper draws them", List.copyOf(charts.values())),
            Notes.of(NAME)));
  }
}
