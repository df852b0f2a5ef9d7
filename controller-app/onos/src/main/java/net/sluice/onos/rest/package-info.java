/**
 * The REST resources below ONOS's web context, answered by the instance that leads; others forward
 * to it.
 */
package net.sluice.onos.rest;
