/** The tables of the marker of paper 000: rate bins, random offsets, value codes. */
package net.sluice.intents.marker.csaqm.tables;
