/** Answers that are kept by {@code Idempotency-Key}, so that a request sent twice is made once. */
package net.sluice.northbound.answers;
