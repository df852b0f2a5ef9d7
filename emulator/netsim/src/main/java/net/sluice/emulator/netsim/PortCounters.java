package net.sluice.emulator.netsim;

/**
 * A port's counters since it was made; unlike {@link PortStatistics} they are never reset. Octets
 * are frame bytes without FCS. A frame is unicast, multicast or broadcast by its destination
 * address.
 *
 * @param inOctets of frames that arrived, discarded ones included
 * @param inUnicastPackets frames that arrived for one station
 * @param inMulticastPackets frames that arrived for a group
 * @param inBroadcastPackets frames that arrived for all
 * @param inDiscards of those, frames that the switch did not forward: the program dropped them,
 *     sent them to no port, or the port was not up
 * @param inErrors frames that arrived and could not be used; not among those above
 * @param outOctets of frames sent
 * @param outUnicastPackets frames sent to one station
 * @param outMulticastPackets frames sent to a group
 * @param outBroadcastPackets frames sent to all
 * @param outDiscards frames for this port that were not sent: no room in the queue, dropped by
 *     egress, lost with a replaced program, or the port was not up
 * @param outErrors frames sent that the line behind the port did not take
 */
public record PortCounters(
    long inOctets,
    long inUnicastPackets,
    long inMulticastPackets,
    long inBroadcastPackets,
    long inDiscards,
    long inErrors,
    long outOctets,
    long outUnicastPackets,
    long outMulticastPackets,
    long outBroadcastPackets,
    long outDiscards,
    long outErrors) {}
