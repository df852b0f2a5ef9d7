package net.sluice.onos.rest;

import net.sluice.rest.OperationApiTest;

/** Requests that go on after their answer, in ONOS's web container. */
class OnosOperationApiTest extends OperationApiTest {}
