/**
 * A switch on this machine's network: Linux interfaces (AF_PACKET) and TAP devices as its ports, in
 * real time.
 */
package net.sluice.emulator.ports;
