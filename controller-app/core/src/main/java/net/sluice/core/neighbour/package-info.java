/** Neighbours of a switch: next hops that are given by their IP addresses, and errors by ICMP. */
package net.sluice.core.neighbour;
