package net.sluice.intents.model.aggregate;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import net.sluice.intents.value.Direction;

/**
 * The contract of a subscriber for its many flows: an aggregate in one direction, in both, or none.
 *
 * @param down of the packets to it
 * @param up of the packets from it
 */
public record Aggregates(Optional<Aggregate> down, Optional<Aggregate> up) {
  /** No contract. */
  public static final Aggregates NONE = new Aggregates(Optional.empty(), Optional.empty());

  public Aggregates {
    require(down, Direction.DOWN);
    require(up, Direction.UP);
  }

  /** One contract with these; of two of a direction the last. */
  public static Aggregates of(List<Aggregate> aggregates) {
    Aggregates all = NONE;
    for (Aggregate each : aggregates) {
      all =
          each.direction() == Direction.DOWN
              ? new Aggregates(Optional.of(each), all.up)
              : new Aggregates(all.down, Optional.of(each));
    }
    return all;
  }

  /** Down, then up. */
  public List<Aggregate> all() {
    return isEmpty() ? List.of() : Stream.concat(down.stream(), up.stream()).toList();
  }

  /** The one of a direction. */
  public Optional<Aggregate> of(Direction direction) {
    return direction == Direction.DOWN ? down : up;
  }

  /** True if there is no contract. */
  public boolean isEmpty() {
    return down.isEmpty() && up.isEmpty();
  }

  private static void require(Optional<Aggregate> aggregate, Direction direction) {
    if (aggregate.isPresent() && aggregate.get().direction() != direction) {
      throw new IllegalArgumentException(aggregate.get() + " is not " + direction.text());
    }
  }
}
