package net.sluice.northbound.usage;

/**
 * Percentiles of the wait of packets under shaped limits, in ms. They are interpolated within the
 * ranges by which the switch counts, so that these are their resolution.
 *
 * @param p50 of half of the packets
 * @param p95 of 95 %
 * @param p99 of 99 %
 */
public record Delay(double p50, double p95, double p99) {}
