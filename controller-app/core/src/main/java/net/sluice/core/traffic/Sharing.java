package net.sluice.core.traffic;

import java.util.Optional;
import net.sluice.intents.value.Direction;
import net.sluice.intents.verdict.Stand;
import net.sluice.intents.verdict.Tally;

/** The sharing of the subscribers of one switch by what is in force there now. */
public interface Sharing {
  /** The switch. */
  String switchName();

  /** A tally without subscribers, with the limits, policies and ports in force. */
  Tally tally(Direction direction);

  /** Takes the subscribers of a switch. */
  @FunctionalInterface
  interface Visitor {
    /**
     * Takes a subscriber in force.
     *
     * @param index at the switch, 1 and more
     * @param isSuspended whether all its packets are dropped
     */
    void subscriber(int index, String id, boolean isSuspended, Stand stand);
  }

  /**
   * Passes on where the subscribers in force stand in such a tally, by index; changes go on
   * meanwhile.
   */
  void stands(Direction direction, Visitor visitor);

  /** Where a subscriber stands in such a tally; empty if it is not in force at the switch. */
  Optional<Stand> stand(String subscriberId, Direction direction);
}
