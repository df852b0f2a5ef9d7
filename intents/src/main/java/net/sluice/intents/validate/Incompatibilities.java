package net.sluice.intents.validate;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import net.sluice.intents.model.Kind;

/**
 * The stored declarations that the targets can no longer take: the switch is cabled otherwise, or
 * the switch or an FPGA holds or represents less than when it was accepted.
 *
 * @param stored number of stored declarations by kind; no key for none
 * @param refused how many of them do not fit; no key for none
 * @param first the first of these, by kind and then by id; at most {@link #NAMED}
 */
public record Incompatibilities(
    Map<Kind, Long> stored, Map<Kind, Long> refused, List<Misfit> first) {
  /** How many misfits are named. */
  public static final int NAMED = 10;

  /**
   * One of them.
   *
   * @param problems why it does not fit; at least one
   */
  public record Misfit(Kind kind, String id, List<Problem> problems) {
    @Override
    public String toString() {
      String why = Problem.sentences(problems);
      return kind.words() + " " + id + ": " + why;
    }
  }

  public Incompatibilities {
    stored = Map.copyOf(stored);
    refused = Map.copyOf(refused);
    first = List.copyOf(first);
  }

  /** True if all fits. */
  public boolean isEmpty() {
    return refused.isEmpty();
  }

  /** How much is stored: {@code 2 policies, 1000 subscribers, 1 rate limit}. */
  public String storedText() {
    return stored.isEmpty()
        ? "nothing"
        : Arrays.stream(Kind.values())
            .filter(stored::containsKey)
            .map(kind -> counted(stored.get(kind), kind))
            .collect(Collectors.joining(", "));
  }

  /** The misfits for people, in several lines: how many, the first by name, and what to do. */
  public String text() {
    StringBuilder text = new StringBuilder();
    text.append("what is stored does not fit the topology and the profiles: ")
        .append(
            Arrays.stream(Kind.values())
                .filter(refused::containsKey)
                .map(kind -> refused.get(kind) + " of " + counted(stored.get(kind), kind))
                .collect(Collectors.joining(", ")))
        .append(" would lose service; no target was connected and nothing was changed.\n");
    first.forEach(misfit -> text.append("  ").append(misfit).append('\n'));
    long others = refused.values().stream().mapToLong(Long::longValue).sum() - first.size();
    if (others > 0) {
      text.append("  and ").append(others).append(" more\n");
    }
    return text.append(
            "Begin with the topology and the profiles that it was accepted under; there, what does not"
                + " fit can be changed or deleted.")
        .toString();
  }

  private static String counted(long number, Kind kind) {
    return number + " " + (number == 1 ? kind.words() : kind.path().replace('-', ' '));
  }
}
