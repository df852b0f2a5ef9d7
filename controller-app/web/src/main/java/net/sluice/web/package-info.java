/** The web page: its files, and the servlet that hosts give them out with. */
package net.sluice.web;
