/** The declarations in force, compact enough for a million subscribers. */
package net.sluice.core.state;
