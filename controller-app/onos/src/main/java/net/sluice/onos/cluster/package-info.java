/** Which instance of the cluster runs the controller, and how another takes over. */
package net.sluice.onos.cluster;
