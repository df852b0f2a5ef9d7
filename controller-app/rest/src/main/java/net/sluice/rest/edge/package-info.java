/**
 * The way of a request from a servlet container to the resources: who may call, bodies and answers
 * that no thread waits for, metrics and traces. Every host serves the API through it.
 */
package net.sluice.rest.edge;
