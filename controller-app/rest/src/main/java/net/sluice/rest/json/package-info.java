/**
 * Strict reading of JSON: nothing is guessed, converted or skipped, and every problem of a document
 * is found, not only the first.
 */
package net.sluice.rest.json;
