/** Simulations of changes: who would get what, before and after them. */
package net.sluice.northbound.simulate;
