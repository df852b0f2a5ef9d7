package net.sluice.intents.model.policy;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import net.sluice.intents.value.Ranges;

/**
 * The delay that a rate limit may make, as declared: by the limit, or by a policy for the limits of
 * its subscribers.
 *
 * @param aqm how what waits is managed; empty where the policy, or the default, says it
 * @param maxDelayMillis a packet that would wait longer is dropped unless eight full packets take
 *     longer at the limit's rate, 1 to {@link #MAX_MILLIS}; empty likewise
 */
public record LimitDelay(Optional<LimitAqm> aqm, OptionalInt maxDelayMillis) {
  /** The longest wait that can be declared, in ms: no switch holds packets longer. */
  public static final int MAX_MILLIS = 1_000;

  /** The longest wait where none is declared, in ms. */
  public static final int DEFAULT_MILLIS = 100;

  /** Nothing is declared. */
  public static final LimitDelay UNSAID = new LimitDelay(Optional.empty(), OptionalInt.empty());

  public LimitDelay {
    Objects.requireNonNull(aqm, "aqm");
    if (maxDelayMillis.isPresent()) {
      Ranges.require("maxDelayMillis", maxDelayMillis.getAsInt(), 1, MAX_MILLIS);
    }
  }

  /** True if something is declared. */
  public boolean any() {
    return aqm.isPresent() || maxDelayMillis.isPresent();
  }
}
