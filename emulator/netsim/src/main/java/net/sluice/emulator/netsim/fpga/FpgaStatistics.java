package net.sluice.emulator.netsim.fpga;

/**
 * Statistics of an FPGA since it was made or reset.
 *
 * @param receivedPackets packets that came in
 * @param sentPackets packets that went out completely
 * @param droppedPackets packets refused because their queue was full
 * @param noBufferPackets packets dropped because no buffer was free
 * @param codelPackets packets dropped by CoDel
 * @param malformedPackets packets without a prefix, without anything behind it, longer than a large
 *     buffer, or with a queue id that the build has not; dropped
 * @param waitingPackets packets in queues now
 * @param waitingBytes their bytes, without prefix
 * @param strayAccesses register reads and writes that met no register
 */
public record FpgaStatistics(
    long receivedPackets,
    long sentPackets,
    long droppedPackets,
    long noBufferPackets,
    long codelPackets,
    long malformedPackets,
    int waitingPackets,
    long waitingBytes,
    long strayAccesses) {}
