/** {@code sluice bench switch}: how fast the emulated switch is. */
package net.sluice.lab.bench.switching;
