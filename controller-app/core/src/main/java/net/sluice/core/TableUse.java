package net.sluice.core;

/**
 * How full one resource of the switch is.
 *
 * @param resource what it is: {@code subscribers} (rate filters), {@code policies} (slots), {@code
 *     ipv4-prefixes}, {@code ipv6-prefixes}, {@code vlans} or {@code encapsulations} (table
 *     entries)
 * @param used how many declarations use
 * @param size how many the switch has
 */
public record TableUse(String resource, long used, long size) {}
