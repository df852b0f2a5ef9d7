/** Numbers and strings as messages and P4Info have them. */
package net.sluice.emulator.server.p4runtime.value;
