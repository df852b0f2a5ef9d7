/** Addresses that no subscriber has, from packets of which a switch hands copies over. */
package net.sluice.core.unknown;
