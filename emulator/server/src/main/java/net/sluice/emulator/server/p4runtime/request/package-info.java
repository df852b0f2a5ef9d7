/** Reads, writes and pipeline configs, and the roles that they are made in. */
package net.sluice.emulator.server.p4runtime.request;
