/**
 * Entries of tables with their direct counters and meters, and the action profiles they refer to.
 */
package net.sluice.emulator.server.p4runtime.table;
