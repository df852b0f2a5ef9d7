package net.sluice.core.traffic;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import net.sluice.intents.value.Direction;

/**
 * Traffic that enters a port and that no subscriber has, of some seconds.
 *
 * @param switchName the switch it is at; empty if there is only one
 * @param port the switch port
 * @param direction which way it goes
 * @param from when the time begins that this is of
 * @param to when it ends
 * @param bps all of it, as the switch has counted it
 * @param packetsPerSecond the same in packets
 * @param addresses the greatest, by their rates
 */
public record UnknownStatus(
    Optional<String> switchName,
    int port,
    Direction direction,
    Instant from,
    Instant to,
    long bps,
    long packetsPerSecond,
    List<Address> addresses) {
  /**
   * An address: of the way up where packets come from, of the way down where they go.
   *
   * @param bps what of the port's traffic is its, by its part of the copied packets
   * @param errorBps how far that may be off: by twice the standard error of drawing packets, and by
   *     the greatest error for want of memory
   */
  public record Address(String address, long bps, long errorBps) {}

  public UnknownStatus {
    addresses = List.copyOf(addresses);
  }

  /** The same of a switch that is one of several. */
  public UnknownStatus at(String name) {
    return new UnknownStatus(
        Optional.of(name), port, direction, from, to, bps, packetsPerSecond, addresses);
  }
}
