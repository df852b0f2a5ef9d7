/** Traces of requests, sent by OTLP. */
package net.sluice.standalone.traces;
