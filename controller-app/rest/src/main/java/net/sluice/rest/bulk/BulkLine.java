package net.sluice.rest.bulk;

import java.util.List;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Problem;

/**
 * One line of a bulk request: either a change, or the reasons why it is none.
 *
 * @param number line number, from 1
 * @param change the change, null if there are problems
 * @param problems empty if there is a change
 */
public record BulkLine(long number, Change change, List<Problem> problems) {
  /** Whether it is a change. */
  public boolean isSound() {
    return change != null;
  }
}
