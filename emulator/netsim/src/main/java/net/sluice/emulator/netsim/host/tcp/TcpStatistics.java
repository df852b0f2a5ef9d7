package net.sluice.emulator.netsim.host.tcp;

/**
 * Statistics of a connection since it was made. Bytes are bytes of the stream, without headers.
 *
 * @param sentBytes bytes sent, each counted once
 * @param ackedBytes bytes the other side has acknowledged
 * @param deliveredBytes bytes passed to this side's application
 * @param sentSegments segments sent, of all kinds
 * @param receivedSegments segments received with a right checksum
 * @param retransmittedSegments segments sent again
 * @param retransmittedBytes their bytes
 * @param fastRecoveries phases of fast recovery
 * @param timeouts expiries of the retransmission timer
 * @param ecnReductions reductions of the window for ECN echoes
 * @param ceMarks segments received with the CE codepoint
 * @param duplicateSegments data segments received that held nothing new
 * @param reorderedSegments data segments received beyond a gap
 * @param windowProbes zero-window probes sent
 * @param srttNanos smoothed round-trip time, nanoseconds; 0 before the first sample
 * @param minRttNanos least round-trip time sampled, nanoseconds; 0 before the first sample
 * @param rtoNanos retransmission timeout, nanoseconds
 * @param cwndBytes congestion window; 0 before the connection is established
 * @param ssthreshBytes slow start threshold; Long.MAX_VALUE before the first congestion
 */
public record TcpStatistics(
    long sentBytes,
    long ackedBytes,
    long deliveredBytes,
    long sentSegments,
    long receivedSegments,
    long retransmittedSegments,
    long retransmittedBytes,
    long fastRecoveries,
    long timeouts,
    long ecnReductions,
    long ceMarks,
    long duplicateSegments,
    long reorderedSegments,
    long windowProbes,
    long srttNanos,
    long minRttNanos,
    long rtoNanos,
    long cwndBytes,
    long ssthreshBytes) {}
