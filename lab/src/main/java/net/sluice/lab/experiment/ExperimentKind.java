package net.sluice.lab.experiment;

import java.util.List;
import java.util.function.Function;
import net.sluice.lab.support.Progress;

/**
 * An experiment as the command line has it.
 *
 * @param name the command's
 * @param description for people, a sentence or more in each
 * @param settings its options, in the order that help shows them in
 * @param checked reads its options; what is made of them has not begun
 */
public record ExperimentKind(
    String name,
    List<String> description,
    List<Setting> settings,
    Function<GivenSettings, Start> checked) {
  /** The sentence about how long an experiment takes. */
  public static final String TIME =
      "All cores work; how long it takes is told at the start. With --quick it takes less.";

  public ExperimentKind {
    description = List.copyOf(description);
    settings = List.copyOf(settings);
  }

  /** An experiment whose options have been read. */
  @FunctionalInterface
  public interface Start {
    /**
     * Makes the experiment.
     *
     * @throws MissingToolsException if it cannot be run on this machine
     */
    Experiment make(Progress progress) throws Exception;
  }
}
