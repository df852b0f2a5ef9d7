/** Counters of P4Runtime read as bytes, without an object for any cell. */
package net.sluice.endpoints.cells;
