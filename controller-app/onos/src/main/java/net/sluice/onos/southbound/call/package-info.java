/** The calls that drive a switch, and their form as messages between instances. */
package net.sluice.onos.southbound.call;
