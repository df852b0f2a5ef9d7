/** Indirect counters and meters, and registers: arrays of cells. */
package net.sluice.emulator.server.p4runtime.cell;
