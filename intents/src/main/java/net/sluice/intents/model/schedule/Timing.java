package net.sluice.intents.model.schedule;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;

/**
 * The place in time of a declaration that is not always the same. It is stored with what is in
 * force, so that a start goes on where the controller before it ended.
 *
 * @param until when something else of it may come into force; empty if never, or not looked at
 * @param outSince the moment since which what it says for now is kept out of force by what others
 *     have, and what was in force before stays; empty if what it says is in force
 */
public record Timing(Optional<Instant> until, Optional<Instant> outSince) {
  /** Of what has just been declared, and is not looked at. */
  public static final Timing NONE = new Timing(Optional.empty(), Optional.empty());

  public Timing {
    Objects.requireNonNull(until, "until");
    Objects.requireNonNull(outSince, "outSince");
  }

  /** A declaration that is in force, until something else may be. */
  public static Timing inForce(Optional<Instant> until) {
    return new Timing(until, Optional.empty());
  }

  /** A declaration that is out of force since {@code moment}, to the millisecond, or longer. */
  public Timing outAt(Instant moment, Optional<Instant> next) {
    return new Timing(next, Optional.of(outSince.orElse(moment.truncatedTo(ChronoUnit.MILLIS))));
  }
}
