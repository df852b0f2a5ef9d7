package net.sluice.lab.experiment.codelact;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import net.sluice.intents.model.AqmKind;
import net.sluice.lab.report.Row;
import net.sluice.lab.report.RunReport;
import net.sluice.lab.support.Progress;

/**
 * Runs cells on all cores and collects their rows, which do not depend on the order they end in.
 */
final class CodelActExperiment {
  static final String NAME = "codel-act";

  private final Progress progress;
  private final ExecutorService cores =
      Executors.newFixedThreadPool(
          Runtime.getRuntime().availableProcessors(),
          task -> {
            Thread thread = new Thread(task, "sluice-cell");
            thread.setDaemon(true);
            return thread;
          });
  private int begun;
  private int done;

  private CodelActExperiment(Progress progress) {
    this.progress = progress;
  }

  /** Runs what the options ask for; minutes if that is everything. */
  static CodelActResults run(CodelActOptions options, Progress progress)
      throws InterruptedException {
    CodelActExperiment experiment = new CodelActExperiment(progress);
    try {
      return experiment.run(options);
    } finally {
      experiment.cores.shutdownNow();
    }
  }

  private CodelActResults run(CodelActOptions options) throws InterruptedException {
    Future<ControlLaw> actLaw = begin("control law", () -> ControlLaw.measure(AqmKind.CODEL_ACT));
    Future<ControlLaw> p4Law =
        begin("control law of P4-CoDel", () -> ControlLaw.measure(AqmKind.P4_CODEL));
    List<Map<Column, Pending>> cells = new ArrayList<>();
    for (Cell cell : options.cells()) {
      Map<Column, Pending> columns = new EnumMap<>(Column.class);
      for (Column column : Column.values()) {
        columns.put(
            column,
            begin(cell, column, options.senders(), options.mix(), options.seeds(), options));
      }
      cells.add(columns);
    }
    List<Reading> readings = new ArrayList<>();
    for (Senders senders : options.otherSenders()) {
      for (Cell cell : options.cells()) {
        readings.add(
            new Reading(
                senders,
                begin(cell, Column.ACT, senders, options.mix(), 1, options),
                begin(cell, Column.P4_CODEL, senders, options.mix(), 1, options)));
      }
    }
    List<Mixed> mixes = new ArrayList<>();
    for (FlowMix mix : options.otherMixes()) {
      for (Senders senders : EnumSet.of(options.senders(), Senders.UNHELD)) {
        for (Cell cell : Cell.FOR_ALL_MIXES) {
          List<Pending> columns = new ArrayList<>();
          for (Column column : Column.values()) {
            columns.add(begin(cell, column, senders, mix, 1, options));
          }
          mixes.add(new Mixed(senders, mix, columns));
        }
      }
    }
    ControlLaw act = await(actLaw);
    ControlLaw p4Codel = await(p4Law);
    List<Row> rows = new ArrayList<>(CodelActRows.law(act, p4Codel));
    List<Map<Column, CellSummary>> summaries = new ArrayList<>();
    for (Map<Column, Pending> columns : cells) {
      Map<Column, CellSummary> summary = new EnumMap<>(Column.class);
      for (Pending pending : columns.values()) {
        summary.put(pending.column(), pending.await());
      }
      summaries.add(summary);
      rows.addAll(CodelActRows.cell(summary));
      if (options.mix() == FlowMix.MIX) {
        summary.values().forEach(column -> rows.add(CodelActRows.share("", column)));
      }
    }
    for (Reading reading : readings) {
      rows.addAll(
          CodelActRows.otherwise(
              reading.senders(), reading.act().await(), reading.p4Codel().await()));
    }
    for (Mixed mixed : mixes) {
      for (Pending pending : mixed.columns()) {
        rows.addAll(CodelActRows.mixed(options, mixed.senders(), mixed.mix(), pending.await()));
      }
    }
    return new CodelActResults(RunReport.of(NAME, options.seed(), rows), act, p4Codel, summaries);
  }

  /** A cell in a column, from one seed or more. */
  private record Pending(Cell cell, Column column, List<Future<CellResult>> runs) {
    CellSummary await() throws InterruptedException {
      List<CellResult> results = new ArrayList<>();
      for (Future<CellResult> run : runs) {
        results.add(CodelActExperiment.await(run));
      }
      return new CellSummary(cell, column, results);
    }
  }

  private record Reading(Senders senders, Pending act, Pending p4Codel) {}

  private record Mixed(Senders senders, FlowMix mix, List<Pending> columns) {}

  private Pending begin(
      Cell cell, Column column, Senders senders, FlowMix mix, int seeds, CodelActOptions options) {
    Stream<Future<CellResult>> runs =
        LongStream.range(options.seed(), options.seed() + seeds)
            .mapToObj(
                seed ->
                    begin(
                        String.join(
                            ", ",
                            cell.key(),
                            column.title(),
                            senders.text(),
                            mix.text(),
                            Long.toString(seed)),
                        () -> CellRun.run(cell, column, senders, mix, options.seconds(), seed)));
    return new Pending(cell, column, runs.toList());
  }

  private <T> Future<T> begin(String what, Supplier<T> task) {
    synchronized (this) {
      begun++;
    }
    return cores.submit(
        () -> {
          T result = task.get();
          say(what);
          return result;
        });
  }

  private synchronized void say(String what) {
    done++;
    progress.say(String.format(Locale.ROOT, "%d of %d: %s", done, begun, what));
  }

  private static <T> T await(Future<T> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a run has failed: " + e.getCause().getMessage(), e);
    }
  }
}
