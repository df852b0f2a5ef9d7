/** How answers leave through a servlet container, whichever host has it. */
package net.sluice.rest.http;
