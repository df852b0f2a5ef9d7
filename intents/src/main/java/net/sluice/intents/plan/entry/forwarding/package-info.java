/**
 * The entries of the tables of where packets go and with which headers (p4/shared/forwarding): one
 * file a table.
 */
package net.sluice.intents.plan.entry.forwarding;
