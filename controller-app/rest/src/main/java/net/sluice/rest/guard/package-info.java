/** Who calls the API, what they may do, and the record of what they did. */
package net.sluice.rest.guard;
