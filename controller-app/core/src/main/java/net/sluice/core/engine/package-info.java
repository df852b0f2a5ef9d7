/**
 * The controller that hosts start: {@link net.sluice.core.Controller} over the packages for
 * changes, network, reconciliation and status.
 */
package net.sluice.core.engine;
