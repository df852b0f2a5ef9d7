/** Packets between switches and the instance that leads. */
package net.sluice.onos.southbound.packet;
