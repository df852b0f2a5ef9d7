/** Requests that are answered 202 and go on, and how far they are. */
package net.sluice.rest.operation;
