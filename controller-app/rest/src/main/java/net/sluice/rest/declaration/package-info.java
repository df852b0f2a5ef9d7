/** Resources of what is declared, and the way of a change from its request to its answer. */
package net.sluice.rest.declaration;
