/** SLA classes: throughput-value functions, AQM, traffic classes. */
package net.sluice.intents.model.policy;
