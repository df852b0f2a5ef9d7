/**
 * The program's tables, actions and counters as P4Info describes them.
 *
 * <p>A record per table and action, {@code SluiceProgram} with all of them, and the numbers of each
 * compiled program ({@code V1ModelProgram}, {@code TnaProgram}) are generated from P4Info by the
 * build. What the program for TNA has in another shape begins with {@code Tna}.
 */
package net.sluice.pipeconf.p4info;
