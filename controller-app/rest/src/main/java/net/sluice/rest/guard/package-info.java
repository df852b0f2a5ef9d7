/** The check of each request against its caller, and the record of what callers did. */
package net.sluice.rest.guard;
