/** Shaping by the FPGA of paper 001. */
package net.sluice.intents.limit.fpga;
