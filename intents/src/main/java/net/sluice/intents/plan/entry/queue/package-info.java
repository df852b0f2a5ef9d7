/**
 * The entries of the tables of the egress queues (p4/shared/aqm and p4/shared/dropper): one file a
 * table.
 */
package net.sluice.intents.plan.entry.queue;
