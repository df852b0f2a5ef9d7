package net.sluice.pipeconf.p4info;

/**
 * An indirect counter of the program.
 *
 * @param id P4Runtime's number of the counter
 * @param name full name in the program
 * @param size its cells
 */
public record CounterDescriptor(int id, String name, int size) {}
