/** Congestion control: NewReno, Cubic with HyStart, and BBR, with what they measure. */
package net.sluice.emulator.netsim.host.tcp.congestion;
