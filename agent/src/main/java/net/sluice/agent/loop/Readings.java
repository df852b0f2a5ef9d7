package net.sluice.agent.loop;

import java.util.OptionalLong;

/**
 * What the switch has counted since the last step.
 *
 * @param nowNanos the switch's clock, nanoseconds
 * @param pipeBytes bytes that entered each pipe, the front one first
 * @param frontIn packets that entered the front pipe
 * @param frontOut packets that left it for good
 * @param leastBackVstNanos least virtual start time of a packet in a back-end pipe; empty if none
 *     was seen
 * @param spanNanos T: from the least to the greatest virtual finish time of the packets that wait;
 *     0 if none was seen
 */
public record Readings(
    long nowNanos,
    long[] pipeBytes,
    long frontIn,
    long frontOut,
    OptionalLong leastBackVstNanos,
    long spanNanos) {}
