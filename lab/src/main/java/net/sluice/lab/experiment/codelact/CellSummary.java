package net.sluice.lab.experiment.codelact;

import java.util.List;
import java.util.function.ToDoubleFunction;
import net.sluice.pipeconf.CounterCodec.QueueEvent;
import org.HdrHistogram.Histogram;

/**
 * The runs of a cell with one column, from different seeds. Figures are the means of the runs', as
 * the paper has them.
 */
record CellSummary(Cell cell, Column column, List<CellResult> runs) {
  CellSummary {
    runs = List.copyOf(runs);
  }

  double meanMillis() {
    return mean(CellResult::meanMillis);
  }

  double medianMillis() {
    return mean(run -> run.percentileMillis(50));
  }

  double p99Millis() {
    return mean(CellResult::p99Millis);
  }

  double goodputBps() {
    return mean(CellResult::goodputBps);
  }

  /** Packets lost in a run. */
  double drops() {
    return mean(CellResult::drops);
  }

  /** How often something happened to the queue per second. */
  double perSecond(QueueEvent event) {
    return mean(run -> run.perSecond(event));
  }

  double least(ToDoubleFunction<CellResult> figure) {
    return runs.stream().mapToDouble(figure).min().orElseThrow();
  }

  double most(ToDoubleFunction<CellResult> figure) {
    return runs.stream().mapToDouble(figure).max().orElseThrow();
  }

  /** The delays of all runs, nanoseconds. */
  Histogram delaysNanos() {
    Histogram all = runs.get(0).delaysNanos().copy();
    runs.stream().skip(1).forEach(run -> all.add(run.delaysNanos()));
    return all;
  }

  /** Mean of the runs. */
  double mean(ToDoubleFunction<CellResult> figure) {
    return runs.stream().mapToDouble(figure).average().orElseThrow();
  }
}
