/** The log of events on disk, and those who follow it. */
package net.sluice.standalone.events;
