/** The controller's HTTP API as JAX-RS resources; see docs/rest-api.md. */
package net.sluice.rest;
