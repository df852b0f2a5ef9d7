/** Captures in the classic pcap format: read, written, and switched in virtual time. */
package net.sluice.emulator.ports.pcap;
