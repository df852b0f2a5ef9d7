/** The events that clients follow. */
package net.sluice.rest.events;
