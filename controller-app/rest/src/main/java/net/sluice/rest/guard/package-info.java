/** The callers of the API, their roles, and the record of what they did. */
package net.sluice.rest.guard;
