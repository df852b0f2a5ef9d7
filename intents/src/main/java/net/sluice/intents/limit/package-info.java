/** Ways to enforce rate limits, each in a package of its own. */
package net.sluice.intents.limit;
