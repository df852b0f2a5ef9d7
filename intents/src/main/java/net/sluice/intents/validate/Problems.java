package net.sluice.intents.validate;

import java.util.ArrayList;
import java.util.List;
import net.sluice.intents.validate.Problem.Code;

/** Collects problems, so that a refusal names all of them. */
public final class Problems {
  private List<Problem> found = List.of();

  /** Adds a problem. */
  public void add(Problem problem) {
    if (found.isEmpty()) {
      found = new ArrayList<>();
    }
    found.add(problem);
  }

  /** Adds a problem with a sentence of its own. */
  public void add(Code code, String field, Object value, String allowed, String detail) {
    add(new Problem(code, field, String.valueOf(value), allowed, detail));
  }

  /** True if there is none so far. */
  public boolean isEmpty() {
    return found.isEmpty();
  }

  /** All of them, in the order found. */
  public List<Problem> all() {
    return List.copyOf(found);
  }

  /** Throws a refusal with all problems if there are any. */
  public void refuseIfAny() throws Refusal {
    if (!found.isEmpty()) {
      throw new Refusal(found);
    }
  }
}
