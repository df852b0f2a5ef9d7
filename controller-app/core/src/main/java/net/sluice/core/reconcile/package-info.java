/**
 * The state that a switch or an FPGA should have, computed from the declarations and compared with
 * what it has.
 */
package net.sluice.core.reconcile;
