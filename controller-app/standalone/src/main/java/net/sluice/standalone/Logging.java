package net.sluice.standalone;

import org.slf4j.bridge.SLF4JBridgeHandler;

/** Sends what libraries log through {@code java.util.logging} (Jersey, Grizzly) to SLF4J. */
public final class Logging {
  private Logging() {}

  /** Call once, before anything logs. */
  public static void configure() {
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
  }
}
