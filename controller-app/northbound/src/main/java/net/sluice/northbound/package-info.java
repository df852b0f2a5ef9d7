/**
 * The services of a controller for its clients beside their changes: events, webhooks, the audit
 * log and answers that are given again. All of it stands on journals and documents of the store,
 * and knows no host.
 */
package net.sluice.northbound;
