/** The events that clients follow. */
package net.sluice.northbound.events;
