/**
 * The forms of requests and answers as the published document has them (OpenAPI 3.1): each record
 * is a JSON object of that name, each component a field. A component that may be absent is an
 * {@code Optional}. Readers and writers of the same objects are in {@code form}, {@code json} and
 * {@code answer}; tests hold them and these records together.
 */
package net.sluice.rest.contract;
