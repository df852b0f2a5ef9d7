/**
 * The entries of the tables of limits, of meters, of the switch's shaping and of an FPGA
 * (p4/shared/limit): one file a table.
 */
package net.sluice.intents.plan.entry.limit;
