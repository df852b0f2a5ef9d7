package net.sluice.onos.rest;

import net.sluice.rest.BulkApiTest;

/** The API in ONOS's web container answers as the standalone controller's does. */
class OnosBulkApiTest extends BulkApiTest {}
