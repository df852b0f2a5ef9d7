/** Refusals, and the statuses and stream errors that tell them. */
package net.sluice.emulator.server.p4runtime.status;
