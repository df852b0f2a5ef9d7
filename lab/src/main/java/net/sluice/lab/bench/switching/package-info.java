/** {@code sluice bench switch}: performance of the emulated switch. */
package net.sluice.lab.bench.switching;
