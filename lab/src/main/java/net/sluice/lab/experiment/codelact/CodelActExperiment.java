package net.sluice.lab.experiment.codelact;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.lab.experiment.Cases;
import net.sluice.lab.experiment.Experiment;
import net.sluice.lab.report.PaperFigure;
import net.sluice.lab.report.Row;
import net.sluice.lab.report.RunReport;
import net.sluice.lab.report.VerdictText;
import net.sluice.lab.support.Progress;

/**
 * The evaluation of paper 002: cells, each with all columns and from several seeds.
 *
 * @param options what to run
 */
record CodelActExperiment(CodelActOptions options) implements Experiment {
  static final String NAME = "codel-act";

  /** Virtual seconds of the sample. */
  private static final double SAMPLE_SECONDS = 2;

  private static final Cell SAMPLE = Cell.FIFTY_FLOWS;

  /** A cell in a column, from one seed or more. */
  private record Pending(Cell cell, Column column, List<Supplier<CellResult>> runs) {
    CellSummary summary() {
      return new CellSummary(cell, column, runs.stream().map(Supplier::get).toList());
    }
  }

  private record Reading(Senders senders, Pending act, Pending p4Codel) {}

  private record Mixed(Senders senders, FlowMix mix, List<Pending> columns) {}

  @Override
  public double samplePackets() {
    return 2 * CellRun.packets(SAMPLE, SAMPLE_SECONDS);
  }

  @Override
  public CellResult sample(Progress progress) {
    sampleRun();
    progress.at(0.5, "as fast as Java gets");
    return sampleRun();
  }

  private CellResult sampleRun() {
    return CellRun.run(
        SAMPLE, Column.ACT, options.senders(), options.mix(), SAMPLE_SECONDS, options.seed());
  }

  @Override
  public Supplier<Outcome> plan(Cases cases) {
    Supplier<ControlLaw> actLaw =
        cases.add(
            "control law", ControlLaw.PACKETS, progress -> ControlLaw.measure(AqmKind.CODEL_ACT));
    Supplier<ControlLaw> p4Law =
        cases.add(
            "control law of P4-CoDel",
            ControlLaw.PACKETS,
            progress -> ControlLaw.measure(AqmKind.P4_CODEL));
    List<List<Pending>> cells = new ArrayList<>();
    for (Cell cell : options.cells()) {
      cells.add(columns(cases, cell, options.senders(), options.mix(), options.seeds()));
    }
    List<Reading> readings = new ArrayList<>();
    for (Senders senders : options.otherSenders()) {
      for (Cell cell : options.cells()) {
        readings.add(
            new Reading(
                senders,
                add(cases, cell, Column.ACT, senders, options.mix(), 1),
                add(cases, cell, Column.P4_CODEL, senders, options.mix(), 1)));
      }
    }
    List<Mixed> mixes = new ArrayList<>();
    for (FlowMix mix : options.otherMixes()) {
      for (Senders senders : EnumSet.of(options.senders(), Senders.UNHELD)) {
        for (Cell cell : Cell.FOR_ALL_MIXES) {
          mixes.add(new Mixed(senders, mix, columns(cases, cell, senders, mix, 1)));
        }
      }
    }
    return () -> outcome(actLaw.get(), p4Law.get(), cells, readings, mixes);
  }

  private Outcome outcome(
      ControlLaw act,
      ControlLaw p4Codel,
      List<List<Pending>> cells,
      List<Reading> readings,
      List<Mixed> mixes) {
    List<Row> rows = new ArrayList<>(CodelActRows.law(act, p4Codel));
    List<Map<Column, CellSummary>> summaries = new ArrayList<>();
    for (List<Pending> columns : cells) {
      Map<Column, CellSummary> summary = new EnumMap<>(Column.class);
      columns.forEach(pending -> summary.put(pending.column(), pending.summary()));
      summaries.add(summary);
      rows.addAll(CodelActRows.cell(summary));
      if (options.mix() == FlowMix.MIX) {
        summary.values().forEach(column -> rows.add(CodelActRows.share("", column)));
      }
    }
    for (Reading reading : readings) {
      rows.addAll(
          CodelActRows.otherwise(
              reading.senders(), reading.act().summary(), reading.p4Codel().summary()));
    }
    for (Mixed mixed : mixes) {
      for (Pending pending : mixed.columns()) {
        rows.addAll(CodelActRows.mixed(options, mixed.senders(), mixed.mix(), pending.summary()));
      }
    }
    CodelActResults results =
        new CodelActResults(new RunReport(NAME, options.seed(), rows), act, p4Codel, summaries);
    List<PaperFigure> figures = CodelActFigures.of(results);
    List<String> notes = options.notes();
    return new Outcome(
        results.report(),
        VerdictText.of(figures, rows),
        notes,
        CodelActPage.of(results, options.scope(), figures, notes));
  }

  private List<Pending> columns(Cases cases, Cell cell, Senders senders, FlowMix mix, int seeds) {
    return Arrays.stream(Column.values())
        .map(column -> add(cases, cell, column, senders, mix, seeds))
        .toList();
  }

  private Pending add(
      Cases cases, Cell cell, Column column, Senders senders, FlowMix mix, int seeds) {
    return new Pending(
        cell,
        column,
        LongStream.range(options.seed(), options.seed() + seeds)
            .mapToObj(
                seed ->
                    cases.add(
                        String.join(
                            ", ",
                            cell.key(),
                            column.title(),
                            senders.text(),
                            mix.text(),
                            Long.toString(seed)),
                        CellRun.packets(cell, options.seconds()),
                        progress ->
                            CellRun.run(cell, column, senders, mix, options.seconds(), seed)))
            .toList());
  }
}
