package net.sluice.rest.testing;

import java.net.URI;
import net.sluice.core.Controller;

/**
 * What serves the API in tests: the first one that {@link java.util.ServiceLoader} finds, so that
 * every host's module can run the same tests on its own.
 */
public interface TestHost extends AutoCloseable {
  /** Serves {@code controller} on a free local port; incidents are numbered from {@code test-1}. */
  void start(Controller controller, TestEdge edge);

  /** Where the API is, without a slash at the end. */
  URI base();
}
