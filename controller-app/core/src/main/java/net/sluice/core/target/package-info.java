/** The boxes that carry packets, as the controller sees them, and the ways to reach them. */
package net.sluice.core.target;
