package net.sluice.emulator.netsim.host;

/**
 * Statistics of a host's network layer. Sizes are frame bytes without FCS; every frame that was
 * received and not passed up is in exactly one of the other counters.
 *
 * @param sentFrames frames sent
 * @param sentBytes their bytes
 * @param receivedFrames frames that reached the host, wanted or not
 * @param receivedBytes their bytes
 * @param otherMac frames for another MAC address
 * @param otherVlan frames with VLAN tags
 * @param notIp frames that hold no IP
 * @param badHeader IP headers that are malformed or have a wrong checksum
 * @param fragments fragments, which the host does not reassemble
 * @param otherAddress packets for another IP address
 * @param unknownProtocol packets of a protocol nobody has registered
 */
public record HostStatistics(
    long sentFrames,
    long sentBytes,
    long receivedFrames,
    long receivedBytes,
    long otherMac,
    long otherVlan,
    long notIp,
    long badHeader,
    long fragments,
    long otherAddress,
    long unknownProtocol) {}
