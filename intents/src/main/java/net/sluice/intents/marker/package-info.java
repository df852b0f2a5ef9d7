/** The tables of the packet marker of paper 000: rate bins, random offsets, value codes. */
package net.sluice.intents.marker;
