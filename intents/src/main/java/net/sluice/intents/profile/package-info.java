/** What the targets of one deployment can hold and represent, and how they are cabled. */
package net.sluice.intents.profile;
