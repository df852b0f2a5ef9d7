/** Conditions of requests: the tags by which clients know what is declared, and ask for it. */
package net.sluice.rest.condition;
