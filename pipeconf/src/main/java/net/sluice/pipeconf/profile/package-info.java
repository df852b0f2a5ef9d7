/**
 * The capacities of each kind of target, each kind in one file, and the files generated from it:
 * Stratum chassis configurations and ONOS network configurations.
 */
package net.sluice.pipeconf.profile;
