/**
 * The entries of the tables of who a packet belongs to (p4/shared/subscriber): one file a table.
 */
package net.sluice.intents.plan.entry.subscriber;
