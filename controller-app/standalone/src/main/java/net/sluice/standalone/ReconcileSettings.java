package net.sluice.standalone;

import java.time.Duration;
import java.util.Optional;
import net.sluice.core.ControllerConfig;
import net.sluice.core.ControllerConfig.DeletionLimit;

/**
 * When targets are compared with the declarations, and what that may delete there.
 *
 * @param audit from the end of one comparison to the next; empty for none but those asked for
 * @param deletionLimit what may be deleted without being told to
 * @param adopts whether the first comparison of each target may delete whatever it finds
 */
record ReconcileSettings(Optional<Duration> audit, DeletionLimit deletionLimit, boolean adopts) {
  /** Every 15 minutes, and nobody has said what may be deleted. */
  static final ReconcileSettings DEFAULT =
      new ReconcileSettings(Optional.of(Duration.ofMinutes(15)), DeletionLimit.DEFAULT, false);

  /** Adds this to a configuration; returns it. */
  ControllerConfig.Builder addTo(ControllerConfig.Builder config) {
    return config.auditInterval(audit).deletionLimit(deletionLimit).adopts(adopts);
  }
}
