/** The loops of paper 004 as pure functions of a clock and of the counters they read. */
package net.sluice.gates.loop;
