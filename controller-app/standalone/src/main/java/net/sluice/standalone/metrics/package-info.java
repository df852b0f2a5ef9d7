/** Numbers that the process tells of itself, for monitoring. */
package net.sluice.standalone.metrics;
