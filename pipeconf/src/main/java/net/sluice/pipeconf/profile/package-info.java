/**
 * What one kind of target can hold and represent, each kind in one file, and what is generated from
 * it: Stratum chassis configurations and ONOS network configurations.
 */
package net.sluice.pipeconf.profile;
