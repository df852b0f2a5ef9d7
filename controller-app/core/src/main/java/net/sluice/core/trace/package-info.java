/** The following of requests from their change to the targets' answers. */
package net.sluice.core.trace;
