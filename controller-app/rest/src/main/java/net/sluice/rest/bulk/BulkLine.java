package net.sluice.rest.bulk;

import java.util.List;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Problem;
import net.sluice.rest.condition.RequestCondition;

/**
 * One line of a bulk request: a change, or the reasons why it is none or not made.
 *
 * @param number line number, from 1
 * @param change the change; null if the line is none
 * @param condition what has to hold for it to be made
 * @param problems empty if it can be made
 */
public record BulkLine(
    long number, Change change, RequestCondition condition, List<Problem> problems) {
  public BulkLine {
    problems = List.copyOf(problems);
  }

  /** A change without a condition. */
  BulkLine(long number, Change change) {
    this(number, change, RequestCondition.NONE, List.of());
  }

  /** A line that is no change. */
  BulkLine(long number, List<Problem> problems) {
    this(number, null, RequestCondition.NONE, problems);
  }

  /** The same line, which is not made for that reason. */
  BulkLine refused(Problem problem) {
    return new BulkLine(number, change, condition, List.of(problem));
  }

  /** The same line with that change. */
  BulkLine with(Change other) {
    return new BulkLine(number, other, condition, problems);
  }

  /** Whether it is a change that can be made. */
  public boolean isSound() {
    return problems.isEmpty();
  }
}
