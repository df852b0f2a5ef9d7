package net.sluice.gates.loop;

import java.util.OptionalLong;

/**
 * The counts of a switch since the last step.
 *
 * @param nowNanos the switch's clock, nanoseconds
 * @param pipeBytes bytes that went into each pipe, round and round included, the front one first
 * @param leastBackVstNanos least virtual start time of a packet in a back-end pipe; empty if none
 *     was seen
 * @param spanNanos T: from the least to the greatest virtual finish time of the packets that wait;
 *     0 if none was seen
 */
public record Readings(
    long nowNanos, long[] pipeBytes, OptionalLong leastBackVstNanos, long spanNanos) {}
