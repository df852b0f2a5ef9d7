package net.sluice.core.session;

import java.time.Duration;
import java.util.Optional;
import net.sluice.core.ControllerConfig;

/**
 * How a session works.
 *
 * @param batchSize most writes of a batch
 * @param window most batches in flight
 * @param queueCapacity writes waiting from which on bulk changes block
 * @param firstBackoff wait before the second attempt to connect
 * @param maxBackoff longest wait before an attempt to connect
 * @param refusedRetry first wait before refused writes are tried again
 * @param guard what a comparison may delete
 * @param adopts whether the first comparison may delete whatever it finds
 * @param auditInterval from the end of one reconciliation to the next audit
 */
public record SessionSettings(
    int batchSize,
    int window,
    int queueCapacity,
    Duration firstBackoff,
    Duration maxBackoff,
    Duration refusedRetry,
    Optional<Duration> auditInterval,
    DeletionGuard guard,
    boolean adopts) {

  /** The part of a configuration that concerns sessions. */
  public static SessionSettings of(ControllerConfig config) {
    return new SessionSettings(
        config.batchSize(),
        config.window(),
        config.queueCapacity(),
        config.firstBackoff(),
        config.maxBackoff(),
        config.refusedRetry(),
        config.auditInterval(),
        new DeletionGuard(config.deletionLimit().percent(), config.deletionLimit().entries()),
        config.adopts());
  }
}
