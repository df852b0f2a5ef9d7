/** The order of the controller's locks, and locks that check it in tests. */
package net.sluice.core.lock;
