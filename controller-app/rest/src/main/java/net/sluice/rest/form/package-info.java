/** The JSON forms of declarations, one file a kind: how it is read and how it is written. */
package net.sluice.rest.form;
