/** A switch as it is declared: one record, one JSON form, with its reader and its writer. */
package net.sluice.rest.switches;
