/**
 * Which instance of the cluster runs the controller, how another takes over, and the form of what
 * instances tell each other.
 */
package net.sluice.onos.cluster;
