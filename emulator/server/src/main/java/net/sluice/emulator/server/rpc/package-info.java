/** What the gRPC servers of the emulated switch have in common. */
package net.sluice.emulator.server.rpc;
