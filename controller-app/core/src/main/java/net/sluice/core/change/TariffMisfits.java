package net.sluice.core.change;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;

/** The subscribers that cannot have what their tariff is to give: how many, and some by name. */
public final class TariffMisfits {
  /** Values that a tariff has to have. */
  public static final String ALLOWED = "values that fit each of its subscribers";

  private static final int NAMED = 10;

  private final List<String> named = new ArrayList<>();
  private int count;
  private Problem.Code code;

  /** One more cannot have it. */
  public void add(String subscriberId, Refusal refusal) {
    if (count++ == 0) {
      code = refusal.problems().get(0).code();
    }
    if (named.size() < NAMED) {
      named.add(subscriberId + " (" + Problem.sentences(refusal.problems()) + ")");
    }
  }

  /** Whether there is none. */
  public boolean isEmpty() {
    return count == 0;
  }

  /**
   * The problem of the tariff, if any cannot have it.
   *
   * @param users how many have it
   */
  public Problem problem(String tariffId, int users) {
    return new Problem(
        code,
        "tariff",
        tariffId,
        ALLOWED,
        String.format(
            Locale.ROOT,
            "Tariff %s would not fit %d of its %d subscribers: %s%s",
            tariffId,
            count,
            users,
            String.join(", ", named),
            count > named.size() ? " and " + (count - named.size()) + " more." : "."));
  }
}
