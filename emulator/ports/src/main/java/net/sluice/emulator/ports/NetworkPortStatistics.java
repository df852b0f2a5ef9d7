package net.sluice.emulator.ports;

/**
 * Counts of frames between a switch and its machine.
 *
 * @param receivedFrames frames handed to the switch
 * @param kernelDrops frames that arrived while the receive buffer was full
 * @param unusableFrames frames that arrived and could not be handed over: cut, or offloaded in a
 *     way that cannot be undone
 * @param sentFrames frames that the machine took
 * @param unsentFrames frames that the machine refused
 * @param lastSendError error of the last refusal; empty for none
 */
public record NetworkPortStatistics(
    long receivedFrames,
    long kernelDrops,
    long unusableFrames,
    long sentFrames,
    long unsentFrames,
    String lastSendError) {}
