package net.sluice.core.traffic;

import java.util.Optional;
import net.sluice.core.traffic.SubscriberCounters.Traffic;
import net.sluice.intents.value.Direction;

/**
 * An end of a wire, with what has entered there and belongs to no subscriber.
 *
 * @param switchName the switch it is at; empty if there is only one
 * @param port the switch port
 * @param partner the port at the other end
 * @param direction which way frames go that enter there
 * @param unknown what belongs to no subscriber among them, since the program was loaded
 */
public record WireStatus(
    Optional<String> switchName, int port, int partner, Direction direction, Traffic unknown) {
  /** The same of a switch that is one of several. */
  public WireStatus at(String name) {
    return new WireStatus(Optional.of(name), port, partner, direction, unknown);
  }
}
