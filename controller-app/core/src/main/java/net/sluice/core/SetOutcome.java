package net.sluice.core;

import java.util.List;

/**
 * The outcome of changes that are made together or not at all.
 *
 * @param isMade whether they are made; of a dry run, whether they would be
 * @param outcomes of each change in their order: accepted if they are made; otherwise refused, or
 *     unmade because others are refused
 */
public record SetOutcome(boolean isMade, List<Outcome> outcomes) {
  public SetOutcome {
    outcomes = List.copyOf(outcomes);
  }
}
