/** The effect of a change on the targets, in domain words: no P4 names, no register addresses. */
package net.sluice.intents.plan;
