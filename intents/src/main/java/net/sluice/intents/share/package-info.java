/** How a link is shared by value, solved exactly: the reference for measurements. */
package net.sluice.intents.share;
