package net.sluice.northbound.answers;

import java.util.SortedMap;

/**
 * An answer as it is given again.
 *
 * @param headers those that belong to it, by name
 */
public record KeptAnswer(int status, SortedMap<String, String> headers, byte[] body) {}
