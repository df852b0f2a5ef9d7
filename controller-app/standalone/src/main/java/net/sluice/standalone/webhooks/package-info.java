/** Events sent by HTTP to the places that are declared. */
package net.sluice.standalone.webhooks;
