/** Limiters whose limits are entries of the switch's tables. */
package net.sluice.intents.limit.entries;
