/**
 * Changes of one switch: planned, made durable in groups, put in force, and read back from the
 * store after a failure.
 */
package net.sluice.core.change;
