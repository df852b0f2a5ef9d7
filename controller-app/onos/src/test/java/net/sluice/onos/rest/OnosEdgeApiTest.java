package net.sluice.onos.rest;

import net.sluice.rest.EdgeApiTest;

/** The way to the resources in ONOS's web container. */
class OnosEdgeApiTest extends EdgeApiTest {}
