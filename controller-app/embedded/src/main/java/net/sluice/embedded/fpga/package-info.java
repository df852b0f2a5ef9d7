/** The emulated FPGAs by themselves, on network interfaces. */
package net.sluice.embedded.fpga;
