/** What a change does to the targets, in domain words: no P4 names, no register addresses. */
package net.sluice.intents.plan;
