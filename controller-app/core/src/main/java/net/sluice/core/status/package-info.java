/**
 * Status of each declaration, lists of declarations, events, and requests that wait for an
 * installation.
 */
package net.sluice.core.status;
