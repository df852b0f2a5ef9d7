package net.sluice.core.traffic;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A port of the switch, as the switch tells of it.
 *
 * @param port its number
 * @param name of its interface, empty if the switch does not have the port or has not told of it
 * @param up whether it carries traffic; empty if that is not known now
 * @param enabled whether it is meant to; empty if that is not known now
 * @param since when {@code up} became what it is, as far as the controller saw; empty if {@code up}
 *     is
 * @param rateBps rate that utilisation is told of, bit/s: the switch's, or else the topology's
 * @param traffic counters, the last that were heard; empty before the first
 * @param inBps bits per second that came in between the last two samples
 * @param outBps bits per second that went out between them
 * @param note what the controller wanted of the port and did not get; for people
 */
public record PortStatus(
    int port,
    Optional<String> name,
    Optional<Boolean> up,
    Optional<Boolean> enabled,
    Optional<Instant> since,
    long rateBps,
    Optional<Traffic> traffic,
    OptionalDouble inBps,
    OptionalDouble outBps,
    Optional<String> note) {

  /**
   * Counters of a port; frames and their bytes.
   *
   * @param inOctets bytes that came in
   * @param outOctets bytes that went out
   * @param inDiscards frames that came in and were not forwarded
   * @param outDiscards frames that were to go out and did not
   * @param inErrors frames that came in broken
   * @param outErrors frames that could not be sent
   */
  public record Traffic(
      long inOctets,
      long outOctets,
      long inDiscards,
      long outDiscards,
      long inErrors,
      long outErrors) {}

  /** A port of which nothing is known but the topology's rate for it. */
  public static PortStatus unknown(int port, long rateBps) {
    return new PortStatus(
        port,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        rateBps,
        Optional.empty(),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        Optional.empty());
  }

  /** Share of the rate that went out between the last two samples, 0 and up. */
  public OptionalDouble utilisation() {
    return outBps.isPresent()
        ? OptionalDouble.of(outBps.getAsDouble() / rateBps)
        : OptionalDouble.empty();
  }
}
