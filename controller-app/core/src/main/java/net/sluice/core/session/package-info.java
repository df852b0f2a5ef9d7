/** Keeps a target's content equal to the declarations: ordering, windows, retries, reconciling. */
package net.sluice.core.session;
