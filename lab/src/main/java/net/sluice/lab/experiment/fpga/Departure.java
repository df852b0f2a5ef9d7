package net.sluice.lab.experiment.fpga;

/**
 * A packet that has left the core.
 *
 * @param number its number
 * @param queue its queue
 * @param bytes its length
 * @param firstClock clock of its first beat
 * @param lastClock clock of its last beat
 */
record Departure(int number, int queue, int bytes, long firstClock, long lastClock) {}
