package net.sluice.core.traffic;

import java.util.Optional;
import net.sluice.intents.value.Direction;
import net.sluice.intents.verdict.Stand;
import net.sluice.intents.verdict.Tally;

/** The sharing of the subscribers of one switch by what is in force there now. */
public interface Sharing {
  /** The switch. */
  String switchName();

  /** A tally of nobody, with the limits, policies and ports in force. */
  Tally tally(Direction direction);

  /** Where a subscriber stands in such a tally; empty if it is not in force at the switch. */
  Optional<Stand> stand(String subscriberId, Direction direction);
}
