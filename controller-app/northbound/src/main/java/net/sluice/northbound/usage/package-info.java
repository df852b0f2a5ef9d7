/** What subscribers, trees, ports and policies have got, measured by the switches and kept. */
package net.sluice.northbound.usage;
