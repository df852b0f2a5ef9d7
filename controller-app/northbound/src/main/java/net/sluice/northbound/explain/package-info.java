/** Why subscribers get what they get: what was measured of all, held against what is declared. */
package net.sluice.northbound.explain;
