package net.sluice.onos.rest;

import net.sluice.rest.NorthboundApiTest;

/** Events, webhooks, keys and the audit log in ONOS's web container. */
class OnosNorthboundApiTest extends NorthboundApiTest {}
