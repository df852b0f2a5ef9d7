/** Reads a program from BMv2 JSON. */
package net.sluice.emulator.v1model.load;
