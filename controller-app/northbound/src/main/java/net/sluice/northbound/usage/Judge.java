package net.sluice.northbound.usage;

import java.util.Optional;
import net.sluice.intents.value.Direction;
import net.sluice.intents.verdict.Cause;

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
}
