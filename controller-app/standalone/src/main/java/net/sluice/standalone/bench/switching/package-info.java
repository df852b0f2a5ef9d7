/** {@code sluice bench switch}: how fast the emulated switch is. */
package net.sluice.standalone.bench.switching;
