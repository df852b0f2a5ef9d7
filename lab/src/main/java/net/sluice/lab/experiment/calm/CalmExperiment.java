package net.sluice.lab.experiment.calm;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.value.Direction;
import net.sluice.lab.experiment.Cases;
import net.sluice.lab.experiment.Experiment;
import net.sluice.lab.experiment.Notes;
import net.sluice.lab.experiment.calm.CalmCell.Bulk;
import net.sluice.lab.report.PaperFigure;
import net.sluice.lab.report.Row;
import net.sluice.lab.report.RunPage;
import net.sluice.lab.report.RunReport;
import net.sluice.lab.report.VerdictText;
import net.sluice.lab.support.Progress;

/**
 * The delay under limits: cells of a limit and its traffic, each through the program and through
 * references.
 *
 * @param options what to run
 */
record CalmExperiment(CalmOptions options) implements Experiment {
  static final String NAME = "calm";

  private static final CalmPlan SAMPLE =
      CalmPlan.oneCase(
          new CalmCell(Enforcement.SHAPE, Direction.DOWN, 20_000_000, Bulk.CUBIC, 4, 40, false));

  @Override
  public double samplePackets() {
    return 2 * SAMPLE.work(CalmColumn.NOW);
  }

  @Override
  public CalmResult sample(Progress progress) {
    SAMPLE.run(CalmColumn.NOW, options.seed());
    progress.at(0.5, "as fast as Java gets");
    return SAMPLE.run(CalmColumn.NOW, options.seed());
  }

  @Override
  public Supplier<Outcome> plan(Cases cases) {
    List<Supplier<List<Row>>> parts = new ArrayList<>();
    Map<String, Supplier<CalmResult>> references = new HashMap<>();
    for (CalmPlan plan : options.plans()) {
      Map<CalmColumn, Supplier<CalmResult>> runs = new EnumMap<>(CalmColumn.class);
      for (CalmColumn column : plan.columns()) {
        Supplier<Supplier<CalmResult>> run =
            () ->
                cases.add(
                    plan.key() + column.suffix(),
                    plan.work(column),
                    progress -> plan.run(column, options.seed()));
        runs.put(
            column,
            column.switched()
                ? run.get()
                : references.computeIfAbsent(
                    plan.cell().traffic().key() + column.suffix(), key -> run.get()));
      }
      parts.add(() -> rows(plan, runs));
    }
    return () -> outcome(parts.stream().flatMap(part -> part.get().stream()).toList());
  }

  private static List<Row> rows(CalmPlan plan, Map<CalmColumn, Supplier<CalmResult>> runs) {
    Map<CalmColumn, CalmResult> results = new EnumMap<>(CalmColumn.class);
    runs.forEach((column, run) -> results.put(column, run.get()));
    return CalmRows.of(plan, results);
  }

  private Outcome outcome(List<Row> rows) {
    RunReport report = new RunReport(NAME, options.seed(), rows);
    List<PaperFigure> figures = CalmFigures.of(rows);
    List<String> notes = Notes.of(NAME);
    return new Outcome(
        report,
        VerdictText.of(figures, rows),
        notes,
        RunPage.page("Delay under limits", report, options.scope(), figures, Map.of(), notes));
  }
}
