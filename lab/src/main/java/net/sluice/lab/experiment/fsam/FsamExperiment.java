package net.sluice.lab.experiment.fsam;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import net.sluice.intents.model.aggregate.AggregateMarker;
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
 * The evaluation of paper 003: each traffic with all markers, from several seeds.
 *
 * @param options what to run
 */
record FsamExperiment(FsamOptions options) implements Experiment {
  static final String NAME = "fsam";

  private static final Setup SAMPLE = Setup.longFlows(20);
  private static final AggregateMarker.Fsam FSAM = new AggregateMarker.Fsam();

  @Override
  public double samplePackets() {
    return 2 * SAMPLE.packets();
  }

  @Override
  public FsamResult sample(Progress progress) {
    sampleRun();
    progress.at(0.5, "as fast as Java gets");
    return sampleRun();
  }

  private FsamResult sampleRun() {
    return FsamRun.run(SAMPLE, MarkerKind.F_SAM.marker(), options.seed());
  }

  @Override
  public Supplier<Outcome> plan(Cases cases) {
    if (options.oneCase().isPresent()) {
      FsamOptions.Case of = options.oneCase().get();
      List<Supplier<FsamResult>> runs =
          add(cases, of.setup(), of.marker().title(), of.marker().marker());
      return () -> outcome(FsamRows.ofCase(runs.get(0).get()), List.of());
    }
    List<Setup> setups = new ArrayList<>(List.of(Setup.MIXED, Setup.UDP));
    options.flows().forEach(flows -> setups.add(Setup.longFlows(flows)));
    options.flows().forEach(flows -> setups.add(Setup.withMice(flows)));
    options.flows().forEach(flows -> setups.add(Setup.withUdp(flows)));
    Map<Setup, Map<MarkerKind, List<Supplier<FsamResult>>>> pending = new LinkedHashMap<>();
    for (Setup setup : setups) {
      Map<MarkerKind, List<Supplier<FsamResult>>> markers = new EnumMap<>(MarkerKind.class);
      for (MarkerKind marker : MarkerKind.values()) {
        markers.put(marker, add(cases, setup, marker.title(), marker.marker()));
      }
      pending.put(setup, markers);
    }
    List<Supplier<FsamResult>> weighted =
        add(
            cases,
            Setup.WEIGHTED,
            "weighted F-SAM",
            new AggregateMarker.Fsam(FSAM.averagingMillis(), FSAM.windowMillis(), Setup.WEIGHTS));
    return () -> {
      Map<String, Map<MarkerKind, List<FsamResult>>> results = new LinkedHashMap<>();
      pending.forEach(
          (setup, markers) -> {
            Map<MarkerKind, List<FsamResult>> of = new EnumMap<>(MarkerKind.class);
            markers.forEach(
                (marker, runs) -> of.put(marker, runs.stream().map(Supplier::get).toList()));
            results.put(setup.key(), of);
          });
      List<Row> rows = new ArrayList<>(FsamRows.of(options.flows(), results));
      rows.addAll(FsamRows.ofWeights(weighted.stream().map(Supplier::get).toList()));
      return outcome(rows, FsamFigures.of(rows));
    };
  }

  private List<Supplier<FsamResult>> add(
      Cases cases, Setup setup, String title, AggregateMarker marker) {
    return LongStream.range(options.seed(), options.seed() + options.seeds())
        .mapToObj(
            seed ->
                cases.add(
                    String.join(", ", setup.key(), title, Long.toString(seed)),
                    setup.packets(),
                    progress -> FsamRun.run(setup, marker, seed)))
        .toList();
  }

  private Outcome outcome(List<Row> rows, List<PaperFigure> figures) {
    RunReport report = new RunReport(NAME, options.seed(), rows);
    List<String> notes = Notes.of(NAME);
    return new Outcome(
        report,
        VerdictText.of(figures, rows),
        notes,
        RunPage.page(
            "PAM and F-SAM: paper and measured",
            report,
            options.scope(),
            figures,
            options.oneCase().isPresent() ? Map.of() : FsamFigures.charts(options.flows(), rows),
            notes));
  }
}
