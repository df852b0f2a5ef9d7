/** Copies of packets, and the headers of packets from and to the controller. */
package net.sluice.emulator.server.p4runtime.packet;
