/** What holds at a time: schedules, suspensions and what they lead to now. */
package net.sluice.intents.model.schedule;
