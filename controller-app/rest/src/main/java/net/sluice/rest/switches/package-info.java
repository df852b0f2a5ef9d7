/** Resources of the switches and of the targets behind them. */
package net.sluice.rest.switches;
