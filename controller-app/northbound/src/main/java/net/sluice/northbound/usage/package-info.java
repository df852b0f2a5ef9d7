/** Usage: the traffic of subscribers, trees, ports and policies, measured by switches and kept. */
package net.sluice.northbound.usage;
