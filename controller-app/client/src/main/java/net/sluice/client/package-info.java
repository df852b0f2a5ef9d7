/** Commands that use the API of a controller, and those that need none: backups and restores. */
package net.sluice.client;
