/** At the instance that leads: its sessions with switches and their gNMI servers. */
package net.sluice.onos.southbound.leader;
