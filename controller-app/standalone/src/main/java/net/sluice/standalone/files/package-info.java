/** Files that are whole and durable, whoever interrupts the thread that writes them. */
package net.sluice.standalone.files;
