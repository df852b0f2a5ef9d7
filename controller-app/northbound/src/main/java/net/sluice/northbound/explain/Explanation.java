package net.sluice.northbound.explain;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import net.sluice.intents.value.Direction;
import net.sluice.intents.verdict.LimitVerdict;
import net.sluice.intents.verdict.TrafficLoad;

/**
 * The limitation of a subscriber.
 *
 * @param id the subscriber
 * @param at the end of the time that was measured; empty if nothing was
 * @param sides both directions
 */
public record Explanation(String id, Optional<Instant> at, Map<Direction, Side> sides) {
  public Explanation {
    sides = Map.copyOf(sides);
  }

  /**
   * One direction; rates in bit/s.
   *
   * @param declaredBps its own limit as declared; empty without one
   * @param grantedBps the least of what is granted of its limits, its tree's and its port's
   * @param load what was measured; empty if nothing was
   * @param entitledBps the smaller of its limits and of its share of what is full; empty if that is
   *     not known, or nothing bounds it
   * @param verdict what limits it; empty if nothing was measured and no more is known
   * @param sentence the verdict in words
   */
  public record Side(
      OptionalDouble declaredBps,
      OptionalDouble grantedBps,
      Optional<TrafficLoad> load,
      OptionalDouble entitledBps,
      Optional<LimitVerdict> verdict,
      String sentence) {}
}
