package net.sluice.emulator.v1model.program;

import java.util.List;

/**
 * Headers of which at most one is valid: one becoming valid makes the others invalid.
 *
 * @param name P4 name
 */
public record HeaderUnion(String name, List<Header> headers) {}
