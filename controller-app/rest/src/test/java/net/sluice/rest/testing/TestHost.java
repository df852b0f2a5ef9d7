package net.sluice.rest.testing;

import java.net.URI;

/**
 * What serves the API in tests: the first one that {@link java.util.ServiceLoader} finds, so that
 * every host's module can run the same tests on its own.
 */
public interface TestHost extends AutoCloseable {
  /** Serves services on a free local port; incidents are numbered from {@code test-1}. */
  void start(TestServices services);

  /**
   * Serves a controller as the host makes it, with all that the host has, on a free local port.
   * Clients can declare its switches.
   *
   * @param document of the switch that it has from the start, as {@code bng1}
   */
  void startNetwork(String document);

  /** Where the API is, without a slash at the end. */
  URI base();
}
