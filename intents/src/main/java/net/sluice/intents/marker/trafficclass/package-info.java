/** Classes of a subscriber's traffic: the switch tells them apart, the FPGA serves them. */
package net.sluice.intents.marker.trafficclass;
