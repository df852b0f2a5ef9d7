package net.sluice.lab.experiment.fpga;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import net.sluice.lab.experiment.Cases;
import net.sluice.lab.experiment.Experiment;
import net.sluice.lab.report.PaperFigure;
import net.sluice.lab.report.Row;
import net.sluice.lab.report.RunPage;
import net.sluice.lab.report.RunReport;
import net.sluice.lab.report.Verdict;
import net.sluice.lab.support.Progress;

/**
 * The evaluation of paper 001.
 *
 * @param options what to run
 * @param programs the core's builds
 */
record FpgaExperiment(FpgaOptions options, CorePrograms programs) implements Experiment {
  static final String NAME = "fpga";

  /** Section IV.B. */
  private static final long LIMIT_BPS = 100_000_000;

  private static final int LIMIT_PACKET_BYTES = 1_000;
  private static final int LIMIT_PACKETS = 3_000;
  private static final int QUICK_DIVISOR = 10;
  private static final int SAMPLE_PACKETS = 100;

  /** Clocks of a packet at 99.9 Gbit/s: what takes as long is told as so many packets. */
  private static final double LINE_PACKET_CLOCKS = 26.5;

  /** The builds that a run needs. */
  static List<CoreBuild> builds(FpgaOptions options) {
    return options.oneCase() != null
        ? List.of(options.oneCase().build())
        : List.of(CoreBuild.limited(false), CoreBuild.limited(true));
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
      parts.add(gaps(cases, large));
    }
    return () -> outcome(parts.stream().flatMap(part -> part.get().stream()).toList());
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
    return () -> FpgaRows.gaps(large, flood, result.get());
  }

  private Outcome outcome(List<Row> rows) {
    RunReport report = RunReport.of(NAME, options.seed(), rows);
    List<PaperFigure> figures = FpgaFigures.of(rows);
    return new Outcome(
        report,
        Verdict.of(figures, rows),
        FpgaNotes.NOTES,
        RunPage.page(
            "Queueing FPGA: paper and measured",
            report,
            FpgaNotes.scope(options),
            figures,
            Map.of(),
            FpgaNotes.NOTES));
  }
}
