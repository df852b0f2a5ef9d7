package net.sluice.emulator.netsim;

/**
 * Statistics of one queue of a port since the port was made. Sizes are frame bytes without FCS.
 *
 * @param packets frames in the queue now
 * @param bytes their bytes, as received
 * @param maxBytes most bytes it has held
 * @param sentPackets frames from it sent completely
 * @param sentBytes their bytes as sent
 * @param droppedPackets frames that did not fit into it
 * @param droppedBytes their bytes
 */
public record QueueStatistics(
    int packets,
    long bytes,
    long maxBytes,
    long sentPackets,
    long sentBytes,
    long droppedPackets,
    long droppedBytes) {}
