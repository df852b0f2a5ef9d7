/**
 * gNMI for an emulated switch: a tree of OpenConfig's interfaces and QoS models over the ports of a
 * {@link net.sluice.emulator.netsim.SwitchNode}, read, set and subscribed to. Everything here
 * happens under the simulation's lock, so that an answer is of one instant and a change is seen
 * wholly.
 */
package net.sluice.emulator.server.gnmi;
