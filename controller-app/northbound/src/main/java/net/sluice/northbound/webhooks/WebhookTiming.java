package net.sluice.northbound.webhooks;

import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * The times of requests to receivers.
 *
 * @param connect the longest that a look-up or a connection may take
 * @param answer the longest that an answer may take
 * @param waits how long to wait where a time is due between two attempts
 */
public record WebhookTiming(Duration connect, Duration answer, UnaryOperator<Duration> waits) {
  /** The times outside of tests. */
  public static final WebhookTiming REAL =
      new WebhookTiming(Duration.ofSeconds(5), Duration.ofSeconds(15), UnaryOperator.identity());
}
