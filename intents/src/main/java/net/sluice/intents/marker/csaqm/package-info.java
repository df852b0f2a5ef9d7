/** The packet-value marker of paper 000. */
package net.sluice.intents.marker.csaqm;
