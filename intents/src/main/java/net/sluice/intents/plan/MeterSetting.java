package net.sluice.intents.plan;

/**
 * The rate and burst of a meter of a switch: as RFC 2698 has it, with both rates and both bursts
 * equal, so that a packet is either within them or dropped.
 *
 * @param rateBps bytes of frames, without preamble and checksum, in bit/s; a multiple of 8
 * @param burstBytes what a bucket that has filled up lets through at once
 */
public record MeterSetting(long rateBps, long burstBytes) {}
