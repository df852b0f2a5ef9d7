/** Requests as they come: their form, query and body, and the threads that answer them. */
package net.sluice.rest.request;
