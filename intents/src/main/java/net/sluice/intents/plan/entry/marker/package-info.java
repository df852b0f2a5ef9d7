/**
 * The entries of the tables of how packets are valued and marked (p4/shared/marker): one file a
 * table.
 */
package net.sluice.intents.plan.entry.marker;
