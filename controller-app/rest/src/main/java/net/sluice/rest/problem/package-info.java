/** Problems as RFC 9457 describes them: every refusal and failure the API can answer with. */
package net.sluice.rest.problem;
