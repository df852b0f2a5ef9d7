/** Time as the sessions see it, so that tests can let it pass at will. */
package net.sluice.core.time;
