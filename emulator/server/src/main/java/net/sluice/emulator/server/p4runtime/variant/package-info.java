/** The servers that this one can be: as specified, or strict as Stratum is on Tofino. */
package net.sluice.emulator.server.p4runtime.variant;
