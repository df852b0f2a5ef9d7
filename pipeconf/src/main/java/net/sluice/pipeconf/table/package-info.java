/**
 * Table entries in domain words to P4Runtime and back: one file a table, named after the table of
 * the P4 program. What several tables share: {@code SubscriberActionCodec} and the fields.
 */
package net.sluice.pipeconf.table;
