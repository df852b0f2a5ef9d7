/** The settings that every host has, each declared once: as an option of {@code sluice serve}. */
package net.sluice.rest.settings;
