/** The capacities of the targets of one deployment, and how they are cabled. */
package net.sluice.intents.profile;
