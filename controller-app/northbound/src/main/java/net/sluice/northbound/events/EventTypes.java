package net.sluice.northbound.events;

import java.util.ArrayList;
import java.util.List;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.json.JsonText;

/** The types of all events. */
public final class EventTypes {
  /** The beginning of each. */
  public static final String PREFIX = "net.sluice.";

  /** The types without their beginning. */
  static final List<String> ALL =
      List.of(
          "declaration.put",
          "declaration.deleted",
          "declaration.scheduled",
          "declaration.refused",
          "declaration.installed",
          "declaration.failed",
          "target.session",
          "target.compared",
          "target.drift-mended",
          "next-hop.resolved",
          "next-hop.unanswered",
          "store.state",
          "switch.put",
          "switch.deleted",
          "controller.started",
          "events.gap");

  private static final String ALLOWED =
      "the beginning of one of " + PREFIX + String.join(", " + PREFIX, ALL);

  private EventTypes() {}

  /**
   * Refuses beginnings that no event's type has: whoever asks for them would wait for ever.
   *
   * @throws Refusal with each of them
   */
  public static void require(List<String> beginnings) throws Refusal {
    List<Problem> problems = new ArrayList<>();
    for (int i = 0; i < beginnings.size(); i++) {
      String beginning = beginnings.get(i);
      if (ALL.stream().noneMatch(type -> (PREFIX + type).startsWith(beginning))) {
        problems.add(
            Problem.of(Code.INVALID, "types[" + i + "]", JsonText.quoted(beginning), ALLOWED));
      }
    }
    if (!problems.isEmpty()) {
      throw new Refusal(problems);
    }
  }
}
