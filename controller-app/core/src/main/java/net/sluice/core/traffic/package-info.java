/** Counts of switches: packets and bytes of subscribers, queues, ports and drops. */
package net.sluice.core.traffic;
