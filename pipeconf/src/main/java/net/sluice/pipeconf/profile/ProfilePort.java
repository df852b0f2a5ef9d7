package net.sluice.pipeconf.profile;

import java.util.OptionalInt;

/**
 * A port of a switch.
 *
 * @param id its number in Stratum's chassis configuration, in gNMI and in ONOS
 * @param name its name there
 * @param panel its place at the front panel, from 1
 * @param channel its channel, from 1; 0 if it is not divided
 * @param number its number in table entries and packets; empty if only the switch can tell
 * @param speedBps its speed in bit/s
 */
public record ProfilePort(
    int id, String name, int panel, int channel, OptionalInt number, long speedBps) {}
