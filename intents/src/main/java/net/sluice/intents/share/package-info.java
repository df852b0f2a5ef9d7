/**
 * How a link, and a network of links, is shared by value, solved exactly: the reference for
 * measurements.
 */
package net.sluice.intents.share;
