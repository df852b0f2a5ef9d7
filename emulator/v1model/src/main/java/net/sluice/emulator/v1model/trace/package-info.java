/** Traces of packets in the emulated switch, step by step. */
package net.sluice.emulator.v1model.trace;
