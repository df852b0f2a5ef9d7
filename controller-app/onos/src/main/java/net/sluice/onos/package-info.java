/**
 * Sluice as an ONOS application: a host of the controller that keeps declarations in the cluster's
 * store and has one instance of the cluster drive the targets.
 */
package net.sluice.onos;
