package net.sluice.onos.rest;

import net.sluice.rest.ApiTest;

/** The API in ONOS's web container answers as the standalone controller's does. */
class OnosApiTest extends ApiTest {}
