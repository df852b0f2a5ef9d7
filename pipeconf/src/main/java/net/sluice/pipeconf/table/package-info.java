/**
 * Table entries in domain words to P4Runtime and back. {@code TableBindings} says for each table
 * which field of the entry each match field and parameter carries; {@code TableCodec} does the
 * rest.
 */
package net.sluice.pipeconf.table;
