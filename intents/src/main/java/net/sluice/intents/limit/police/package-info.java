/** Limits by the switch's meters. */
package net.sluice.intents.limit.police;
