/**
 * The Java face of the P4 programs: the only code that knows their tables, actions and counters.
 *
 * <p>Descriptors of them are generated from P4Info at build ({@code p4info}), and {@code table} has
 * a file for each table; the rest of the product speaks in the domain words of {@code
 * net.sluice.intents.plan}.
 */
package net.sluice.pipeconf;
