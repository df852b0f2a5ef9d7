package net.sluice.core.testing;

import java.time.Duration;
import net.sluice.intents.value.InvalidValueException;

/**
 * How often a {@link FaultyTarget} misbehaves, and how. Probabilities are 0 to 1.
 *
 * @param seed of the random numbers; the same seed and calls give the same faults
 * @param connectFails that a session cannot be begun
 * @param sessionDrops that a batch ends the session, with some of its writes done
 * @param writeRefused that one write is refused
 * @param writeUnavailable that one write is answered UNAVAILABLE
 * @param readFails that reading breaks off
 * @param maxDelay longest delay of an answer to a batch
 */
public record FaultPlan(
    long seed,
    double connectFails,
    double sessionDrops,
    double writeRefused,
    double writeUnavailable,
    double readFails,
    Duration maxDelay) {
  public FaultPlan {
    requireProbability("connectFails", connectFails);
    requireProbability("sessionDrops", sessionDrops);
    requireProbability("writeRefused", writeRefused);
    requireProbability("writeUnavailable", writeUnavailable);
    requireProbability("readFails", readFails);
  }

  /** No faults, and answers at once. */
  public static FaultPlan none() {
    return new FaultPlan(0, 0, 0, 0, 0, 0, Duration.ZERO);
  }

  private static void requireProbability(String field, double value) {
    if (!(value >= 0 && value <= 1)) {
      throw new InvalidValueException(field, value, "0 to 1");
    }
  }
}
