package net.sluice.intents.plan;

import java.util.Map;
import java.util.Optional;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.value.Direction;

/**
 * A requested number and the nearest that the target can represent.
 *
 * @param field the declared field, e.g. {@code downBps}
 * @param direction the direction it concerns, empty for both
 * @param requested in {@code unit}
 * @param granted in {@code unit}
 * @param unit {@code bit/s}, {@code byte} or {@code value}
 * @param note why they differ, for people; empty if they do not
 * @param limiter what a rate is enforced by; empty if it is no rate limit's
 * @param others what the other limiters there would grant in its place, as far as they can hold it
 */
public record Grant(
    String field,
    Optional<Direction> direction,
    double requested,
    double granted,
    String unit,
    String note,
    Optional<Enforcement> limiter,
    Map<Enforcement, Long> others) {
  /** The grant of something else than a rate limit's rate. */
  public Grant(
      String field,
      Optional<Direction> direction,
      double requested,
      double granted,
      String unit,
      String note) {
    this(field, direction, requested, granted, unit, note, Optional.empty(), Map.of());
  }

  /** The grant of a rate limit's rate. */
  public Grant(Direction direction, double requested, double granted, String note, Enforcement by) {
    this(
        direction.text() + "Bps",
        Optional.of(direction),
        requested,
        granted,
        "bit/s",
        note,
        Optional.of(by),
        Map.of());
  }

  /** The same beside what other limiters would grant. */
  Grant beside(Map<Enforcement, Long> limiters) {
    return new Grant(
        field, direction, requested, granted, unit, note, limiter, Map.copyOf(limiters));
  }

  /** True if exactly what was asked for is granted. */
  public boolean isExact() {
    return requested == granted;
  }
}
