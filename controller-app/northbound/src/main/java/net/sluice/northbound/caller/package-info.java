/** The callers of the API, and what their roles allow them for how long. */
package net.sluice.northbound.caller;
