/**
 * The delay that rate limits make: as policies and limits declare it, and as targets keep it low.
 */
package net.sluice.intents.limit.delay;
