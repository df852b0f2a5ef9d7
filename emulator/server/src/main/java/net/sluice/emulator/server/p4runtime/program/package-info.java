/**
 * A loaded program with the ids that P4Info gives its parts, and the kinds of entities that it has.
 */
package net.sluice.emulator.server.p4runtime.program;
