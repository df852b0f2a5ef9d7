/** Ways to give packets their values by policies. */
package net.sluice.intents.marking;
