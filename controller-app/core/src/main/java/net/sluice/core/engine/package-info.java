/** The controller's inside: changes, statuses, and what each target should hold. */
package net.sluice.core.engine;
