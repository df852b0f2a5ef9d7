package net.sluice.northbound.usage;

import java.util.Optional;
import net.sluice.intents.value.Direction;

/** Says what subscribers were entitled to, and what limited them, of each sweep. */
@FunctionalInterface
public interface Judge {
  /** Says nothing. */
  Judge NONE = (switchName, loads, to) -> {};

  /** Judges the subscribers of a switch by what was measured of all of them. */
  void judge(String switchName, Loads loads, Findings to);

  /** The rates of a sweep by the index at the switch; empty if they are not known. */
  @FunctionalInterface
  interface Loads {
    /** The rates of a direction. */
    Optional<Rates> of(int index, Direction direction);
  }

  /** Takes what was found. */
  @FunctionalInterface
  interface Findings {
    /** Takes what was found of a subscriber that is limited, or short of what it is entitled to. */
    void put(int index, Direction direction, Finding finding);
  }

  /**
   * A finding about a direction of a subscriber.
   *
   * @param cause what limits it
   * @param entitledBps what it is entitled to, bit/s; 0 if that is nothing, or has no bound
   * @param isShort whether it gets less than that, and than it offers
   */
  record Finding(Cause cause, long entitledBps, boolean isShort) {}

  /** The causes, as they are kept: their places do not change. */
  enum Cause {
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

    /** The cause with that text. */
    public static Cause of(String text) {
      for (Cause each : values()) {
        if (each.text.equals(text)) {
          return each;
        }
      }
      throw new IllegalArgumentException(text);
    }
  }
}
