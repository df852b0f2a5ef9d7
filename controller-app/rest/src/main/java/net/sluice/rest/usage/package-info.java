/** Usage over HTTP. */
package net.sluice.rest.usage;
