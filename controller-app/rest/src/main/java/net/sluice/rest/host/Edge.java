package net.sluice.rest.host;

import java.util.Set;

/**
 * Requests that a start lets clients make.
 *
 * @param closed actions that no client may take
 * @param needsConditions whether declarations are changed only by requests with a condition
 */
public record Edge(Set<Closable> closed, boolean needsConditions) {
  /** All requests. */
  public static final Edge OPEN = new Edge(Set.of(), false);

  public Edge {
    closed = Set.copyOf(closed);
  }
}
