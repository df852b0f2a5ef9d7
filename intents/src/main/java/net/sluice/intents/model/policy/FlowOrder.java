package net.sluice.intents.model.policy;

import java.util.Locale;

/** In which order the flows of a subscriber pass its rate limit and a congested port. */
public enum FlowOrder {
  /** Flows that send little go before what waits, and the heavy ones wait longer. */
  LIGHT_FIRST,
  /** Packets pass in the order in which they come. */
  AS_THEY_COME;

  /** As in the API: {@code light-first} or {@code as-they-come}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
