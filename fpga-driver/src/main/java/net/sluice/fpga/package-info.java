/**
 * The queueing FPGA (paper 001) as the controller sees it: its registers, and the bus they are
 * reached by. No other package knows a register's address.
 */
package net.sluice.fpga;
