package net.sluice.emulator.netsim.host.tcp.congestion;

/**
 * Effect of an acknowledgement on the data in flight. Flights leave out data known to be lost.
 *
 * @param nowNanos virtual time, nanoseconds
 * @param rttNanos round-trip time of the last segment it covers, nanoseconds; -1 if none that may
 *     be timed
 * @param priorFlightBytes in flight before it
 * @param flightBytes in flight after it
 * @param lostBytes newly known to be lost
 * @param markedSegments newly known to have arrived with a congestion mark; 0 where the other side
 *     does not report how many
 * @param recovering whether lost data is being sent again, in fast recovery or after a timeout
 */
public record Acknowledged(
    long nowNanos,
    long rttNanos,
    long priorFlightBytes,
    long flightBytes,
    long lostBytes,
    long markedSegments,
    boolean recovering) {}
