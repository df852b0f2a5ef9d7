/**
 * The Java face of the P4 programs: the only code that knows their tables, actions and counters.
 *
 * <p>Numbers and widths are constants generated from P4Info at build ({@code SluicePipeline}); the
 * rest of the product speaks in the domain words of {@code net.sluice.intents.plan}.
 */
package net.sluice.pipeconf;
