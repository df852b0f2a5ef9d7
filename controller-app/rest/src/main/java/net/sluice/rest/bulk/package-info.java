/**
 * Bulk changes: newline-delimited JSON in, one result line per line out, in bounded memory however
 * long the stream is.
 */
package net.sluice.rest.bulk;
