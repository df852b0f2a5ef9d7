package net.sluice.lab.experiment;

import java.util.List;
import java.util.function.Supplier;
import net.sluice.lab.report.RunReport;
import net.sluice.lab.report.chart.HtmlPage;
import net.sluice.lab.support.Progress;

/** A paper's experiment: cases that run side by side, and the rows and the page made of them. */
public interface Experiment {
  /**
   * The results of an experiment.
   *
   * @param report its rows
   * @param verdict how many of the paper's figures are reproduced, and which are off by how much
   * @param notes what the rows mean
   * @param page the paper's figures as charts, measured beside paper; then notes and rows
   */
  record Outcome(RunReport report, String verdict, List<String> notes, HtmlPage page) {
    public Outcome {
      notes = List.copyOf(notes);
    }
  }

  /** Work of {@link #sample}, in the unit of the cases' work. */
  double samplePackets();

  /** A short run like those of the cases, whose pace tells how long they will take. */
  Object sample(Progress progress) throws Exception;

  /**
   * Adds the cases.
   *
   * @return what makes the outcome of their results, once they have run
   */
  Supplier<Outcome> plan(Cases cases);
}
