/** Events sent by HTTP to the places that are declared. */
package net.sluice.northbound.webhooks;
