/** Declarations in the cluster's consistent maps. */
package net.sluice.onos.store;
