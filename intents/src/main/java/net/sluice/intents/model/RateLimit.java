package net.sluice.intents.model;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * A rate limit as declared. At least one direction has a rate.
 *
 * @param id identifier, see {@link Ids}
 * @param scope what is limited
 * @param downBps limit towards the subscriber in bit/s, more than 0
 * @param upBps limit from the subscriber in bit/s, more than 0
 * @param burstBytes bucket size asked for, in bytes, more than 0; the target's range is checked
 *     when compiling
 * @param enforcement what it is to be enforced by; empty to leave that to the compiler
 * @param gate whether packets pass at all, in the directions in which they wait in a queue
 * @param maxCommittedPercent of a tree's or port's: the most that the limits of its subscribers may
 *     add up to, in percent of this one's rate, 1 to {@value #MAX_PERCENT}; empty for any
 */
public record RateLimit(
    String id,
    Scope scope,
    OptionalLong downBps,
    OptionalLong upBps,
    OptionalInt burstBytes,
    Optional<Enforcement> enforcement,
    Gate gate,
    OptionalInt maxCommittedPercent)
    implements Declaration {
  /** Largest {@code maxCommittedPercent}: a thousand times the rate. */
  public static final int MAX_PERCENT = 100_000;

  public RateLimit {
    Ids.require("id", id);
    Objects.requireNonNull(scope, "scope");
    requirePositive("downBps", downBps);
    requirePositive("upBps", upBps);
    if (downBps.isEmpty() && upBps.isEmpty()) {
      throw new InvalidValueException("downBps", "absent", "downBps, upBps or both");
    }
    if (burstBytes.isPresent() && burstBytes.getAsInt() <= 0) {
      throw new InvalidValueException("burstBytes", burstBytes.getAsInt(), "more than 0");
    }
    Objects.requireNonNull(enforcement, "enforcement");
    Objects.requireNonNull(gate, "gate");
    if (maxCommittedPercent.isPresent()) {
      if (scope instanceof Scope.OfSubscriber) {
        throw new InvalidValueException(
            "maxCommittedPercent",
            maxCommittedPercent.getAsInt(),
            "absent: a subscriber has no limits below its own");
      }
      Ranges.require("maxCommittedPercent", maxCommittedPercent.getAsInt(), 1, MAX_PERCENT);
    }
  }

  /** A limit whose gate is open. */
  public RateLimit(
      String id,
      Scope scope,
      OptionalLong downBps,
      OptionalLong upBps,
      OptionalInt burstBytes,
      Optional<Enforcement> enforcement) {
    this(id, scope, downBps, upBps, burstBytes, enforcement, Gate.OPEN, OptionalInt.empty());
  }

  /** A limit that does not say what it is to be enforced by. */
  public RateLimit(
      String id, Scope scope, OptionalLong downBps, OptionalLong upBps, OptionalInt burstBytes) {
    this(id, scope, downBps, upBps, burstBytes, Optional.empty());
  }

  @Override
  public Kind kind() {
    return Kind.RATE_LIMIT;
  }

  /** The same with another gate. */
  public RateLimit withGate(Gate other) {
    return new RateLimit(
        id, scope, downBps, upBps, burstBytes, enforcement, other, maxCommittedPercent);
  }

  /** The same with another {@code maxCommittedPercent}. */
  public RateLimit withMaxCommittedPercent(OptionalInt other) {
    return new RateLimit(id, scope, downBps, upBps, burstBytes, enforcement, gate, other);
  }

  /** The limit of one direction in bit/s. */
  public OptionalLong rateBps(Direction direction) {
    return direction == Direction.DOWN ? downBps : upBps;
  }

  /** The same in the directions that {@code kept} accepts; empty if it sets none of these. */
  public Optional<RateLimit> only(Predicate<Direction> kept) {
    boolean down = downBps.isPresent() && kept.test(Direction.DOWN);
    boolean up = upBps.isPresent() && kept.test(Direction.UP);
    if (down == downBps.isPresent() && up == upBps.isPresent()) {
      return Optional.of(this);
    }
    return down || up
        ? Optional.of(
            new RateLimit(
                id,
                scope,
                down ? downBps : OptionalLong.empty(),
                up ? upBps : OptionalLong.empty(),
                burstBytes,
                enforcement,
                gate,
                maxCommittedPercent))
        : Optional.empty();
  }

  private static void requirePositive(String field, OptionalLong rateBps) {
    if (rateBps.isPresent() && rateBps.getAsLong() <= 0) {
      throw new InvalidValueException(field, rateBps.getAsLong(), "more than 0 bit/s");
    }
  }
}
