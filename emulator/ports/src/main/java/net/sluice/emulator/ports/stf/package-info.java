/** Packet tests in STF, the format of p4c's own tests, run against the emulated switch. */
package net.sluice.emulator.ports.stf;
