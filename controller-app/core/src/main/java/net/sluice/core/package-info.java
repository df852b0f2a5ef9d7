/** The controller's API. */
package net.sluice.core;
