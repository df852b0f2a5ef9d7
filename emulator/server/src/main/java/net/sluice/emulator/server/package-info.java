/** The emulated switch as a part of a test. */
package net.sluice.emulator.server;
