/** At the instance that is a switch's master: whose turn it is to write, and the calls it makes. */
package net.sluice.onos.southbound.master;
