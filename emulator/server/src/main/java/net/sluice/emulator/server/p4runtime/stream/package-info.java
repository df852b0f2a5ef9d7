/** Controllers' streams: arbitration, packets, digests and idle timeouts. */
package net.sluice.emulator.server.p4runtime.stream;
