package net.sluice.pipeconf.profile;

/**
 * How a switch's counters behave.
 *
 * @param cells cells of each of the two subscriber counters; two for every subscriber index
 * @param ageMillis how old a value may be that is read; 0 if it is read from the packets' path
 * @param writable whether a cell can be set, which clears it for the next subscriber
 */
public record CounterBehaviour(int cells, int ageMillis, boolean writable) {}
