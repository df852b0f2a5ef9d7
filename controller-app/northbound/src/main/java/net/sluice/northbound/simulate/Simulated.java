package net.sluice.northbound.simulate;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import net.sluice.core.Outcome;
import net.sluice.intents.value.Direction;

/**
 * The outcome of a simulation.
 *
 * @param refused the changes that are refused, by their place; the others are simulated
 * @param changed how many get another rate
 * @param losing how many of them lose more than the part that was asked about
 * @param subscribers those that want something, the greatest losses first, in parts of what they
 *     had
 */
public record Simulated(
    Map<Integer, Outcome.Refused> refused, int changed, int losing, List<Subscriber> subscribers) {
  public Simulated {
    refused = Map.copyOf(refused);
    subscribers = List.copyOf(subscribers);
  }

  /** A subscriber with the directions in which it wants something. */
  public record Subscriber(String id, Map<Direction, Way> ways) {
    public Subscriber {
      ways = Map.copyOf(ways);
    }
  }

  /**
   * One direction; rates in bit/s.
   *
   * @param wantedBps what it sends if nothing holds it back; empty if that is all that it can
   * @param beforeBps what it gets by what is declared
   * @param afterBps what it would get
   * @param limitedBy what would leave it least, as {@code limitedBy} of an explanation, or {@code
   *     not-declared} of one that is deleted
   * @param loses whether it loses more than the part that was asked about
   */
  public record Way(
      OptionalDouble wantedBps,
      double beforeBps,
      double afterBps,
      String limitedBy,
      boolean loses) {}
}
