/** TLS and error handling of the emulated switch's gRPC servers. */
package net.sluice.emulator.server.rpc;
