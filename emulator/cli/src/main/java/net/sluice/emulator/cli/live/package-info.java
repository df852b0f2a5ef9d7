/** {@code sluice switch}: the emulated switch by itself, on real interfaces or on captures. */
package net.sluice.emulator.cli.live;
