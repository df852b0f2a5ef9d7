/** Requests that are sent twice and made once. */
package net.sluice.rest.idempotency;
