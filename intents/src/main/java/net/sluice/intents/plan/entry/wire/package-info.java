/** The entries of the tables of wires (p4/shared/wire): one file a table. */
package net.sluice.intents.plan.entry.wire;
