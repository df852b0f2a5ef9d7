package net.sluice.intents.model.policy;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Which algorithm keeps the delay of an egress queue down. */
public enum AqmKind {
  /** CoDel with its state split for a pipeline of register stages (paper 002). */
  CODEL_ACT,
  /**
   * Its predecessor P4-CoDel: the count starts at 1 in each cycle, its square root is that of a
   * power of two, and the interval is 100 ms.
   */
  P4_CODEL,
  /** CoDel as RFC 8289 has it, for targets without limits on register access. */
  RFC8289;

  /** As in the API: {@code codel-act}, {@code p4-codel} or {@code rfc8289}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The kind that the API calls {@code text}; empty if there is none. */
  public static Optional<AqmKind> of(String text) {
    return Arrays.stream(values()).filter(kind -> kind.text().equals(text)).findFirst();
  }

  /** Some kinds as people are told them, in the order of this enum, e.g. {@code a, b}. */
  public static String texts(Set<AqmKind> kinds) {
    return Arrays.stream(values())
        .filter(kinds::contains)
        .map(AqmKind::text)
        .collect(Collectors.joining(", "));
  }
}
