package net.sluice.intents.verdict;

import net.sluice.intents.share.Division.Bound;

/** The causes that limit a subscriber. Usage keeps them by their places, which do not change. */
public enum Cause {
  NOTHING("nothing"),
  OWN_LIMIT("own-limit"),
  TREE("tree"),
  PORT("port"),
  CONGESTION("congestion"),
  SUSPENDED("suspended"),
  OUT_OF_STEP("out-of-step"),
  PORT_DOWN("port-down");

  private final String text;

  Cause(String text) {
    this.text = text;
  }

  /** As the API has it. */
  public String text() {
    return text;
  }

  /** The cause of a bound of a division. */
  public static Cause of(Bound bound) {
    return switch (bound) {
      case NONE -> NOTHING;
      case OWN -> OWN_LIMIT;
      case TREE -> TREE;
      case PORT -> PORT;
      case LINK -> CONGESTION;
    };
  }
}
