/** The services that a host hands to the API. */
package net.sluice.rest.host;
