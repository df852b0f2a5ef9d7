/** Contracts for all flows of a subscriber, and their markers. */
package net.sluice.intents.model.aggregate;
