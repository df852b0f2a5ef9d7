/**
 * The switch as ONOS reaches it, through whichever instance is its master: pipeconf, driver, and a
 * core target over ONOS's P4Runtime client.
 */
package net.sluice.onos.southbound;
