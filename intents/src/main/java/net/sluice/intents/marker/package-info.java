/** Ways to mark packets by policies, each in a package of its own. */
package net.sluice.intents.marker;
