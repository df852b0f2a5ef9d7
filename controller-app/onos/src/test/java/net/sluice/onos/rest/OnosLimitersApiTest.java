package net.sluice.onos.rest;

import net.sluice.rest.LimitersApiTest;

/** In ONOS's web container. */
class OnosLimitersApiTest extends LimitersApiTest {}
