/** Schedules, and the times of which they speak. */
package net.sluice.intents.model.schedule;
