package net.sluice.intents.validate;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A change was refused and nothing was done. Carries every problem found, not only the first.
 *
 * <p>Has no stack trace: refusals are answers, and a bulk load may produce many.
 */
public final class Refusal extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  /** {@code problems} must not be empty. */
  public Refusal(List<Problem> problems) {
    super(
        problems.stream().map(Problem::toString).collect(Collectors.joining("\n")),
        null,
        false,
        false);
    if (problems.isEmpty()) {
      throw new IllegalArgumentException("a refusal needs at least one problem");
    }
    this.problems = List.copyOf(problems);
  }

  /** All problems, in the order found; at least one. */
  public List<Problem> problems() {
    return problems;
  }

  /** The gravest kind among the problems: the first in the order of {@link Problem.Code}. */
  public Problem.Code code() {
    return problems.stream().map(Problem::code).min(Comparator.naturalOrder()).orElseThrow();
  }
}
