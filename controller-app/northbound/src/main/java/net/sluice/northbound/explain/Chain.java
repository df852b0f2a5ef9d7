package net.sluice.northbound.explain;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import net.sluice.intents.value.Direction;

/**
 * The places that a subscriber's packets pass and share with others.
 *
 * @param id the subscriber
 * @param links by direction, the outermost first
 */
public record Chain(String id, Map<Direction, List<Link>> links) {
  public Chain {
    links = Map.copyOf(links);
  }

  /**
   * A place; rates in bit/s, what is not known or not there is empty.
   *
   * @param level port, tree, subscriber or class
   * @param name the name of the port, of the tree, of the subscriber or of its class
   * @param offeredBps what all that pass there offered
   * @param gotBps what they got
   * @param limitBps what is declared
   * @param grantedBps what is granted; of a port without a limit its speed
   * @param delayMillis the 95th percentile of the wait there
   * @param droppedBps what was dropped there
   */
  public record Link(
      String level,
      String name,
      OptionalDouble offeredBps,
      OptionalDouble gotBps,
      OptionalDouble limitBps,
      OptionalDouble grantedBps,
      OptionalDouble delayMillis,
      OptionalDouble droppedBps) {}

  /** The links of a direction. */
  public List<Link> of(Direction direction) {
    return Optional.ofNullable(links.get(direction)).orElse(List.of());
  }
}
