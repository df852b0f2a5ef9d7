package net.sluice.northbound.usage;

import java.time.Instant;
import java.util.Optional;
import net.sluice.intents.value.Direction;

/**
 * The traffic of something over a time; a direction of which nothing is known is empty.
 *
 * @param at the end of that time
 */
public record UsagePoint(Instant at, Optional<Rates> down, Optional<Rates> up) {
  /** A time of which nothing is known. */
  public static UsagePoint gap(Instant at) {
    return new UsagePoint(at, Optional.empty(), Optional.empty());
  }

  /** False if nothing is known of it. */
  public boolean isKnown() {
    return down.isPresent() || up.isPresent();
  }

  /** One direction. */
  public Optional<Rates> of(Direction direction) {
    return direction == Direction.DOWN ? down : up;
  }
}
