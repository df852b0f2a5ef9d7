/** The REST resources below ONOS's web context, answered by the instance that leads. */
package net.sluice.onos.rest;
