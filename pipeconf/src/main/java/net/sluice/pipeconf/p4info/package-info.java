/**
 * What P4Info says of the program's tables, actions and counters.
 *
 * <p>A record per table and action, {@code SluiceProgram} with all of them, and the numbers of each
 * compiled program ({@code V1ModelProgram}) are generated from P4Info by the build.
 */
package net.sluice.pipeconf.p4info;
