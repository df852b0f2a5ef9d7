/** Commands of ONOS's shell. */
package net.sluice.onos.cli;
