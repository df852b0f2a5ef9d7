/** The session with a switch's gNMI server, which tells of its ports. */
package net.sluice.core.ports;
