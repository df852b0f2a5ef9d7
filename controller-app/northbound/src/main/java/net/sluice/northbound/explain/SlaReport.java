package net.sluice.northbound.explain;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import net.sluice.intents.value.Direction;
import net.sluice.intents.verdict.Cause;
import net.sluice.northbound.usage.Delay;

/**
 * A subscriber's service over a time.
 *
 * @param id the subscriber
 * @param gaps the times of which nothing is known
 * @param sides both directions
 */
public record SlaReport(String id, List<Gap> gaps, Map<Direction, Side> sides) {
  public SlaReport {
    gaps = List.copyOf(gaps);
    sides = Map.copyOf(sides);
  }

  /**
   * A time, in seconds of the epoch.
   *
   * @param from its begin
   * @param to its end
   */
  public record Gap(long from, long to) {}

  /**
   * One direction.
   *
   * @param measuredSeconds the time of which something is known
   * @param suspendedSeconds the part of it in which it was suspended, and so entitled to nothing
   * @param shortSeconds the part of it in which it got less than it was entitled to
   * @param delay how long its packets waited under shaped limits; empty if none did
   * @param breaches the times in which it was short
   */
  public record Side(
      long measuredSeconds,
      long suspendedSeconds,
      long shortSeconds,
      Optional<Delay> delay,
      List<Breach> breaches) {
    private static final double PERCENT = 100;
    private static final double PLACES = 1_000;

    public Side {
      breaches = List.copyOf(breaches);
    }

    /**
     * The share of the time in which it got what it was entitled to, in percent, rounded down so
     * that 100 is all of it; empty if nothing was measured.
     */
    public OptionalDouble metPercent() {
      double percent = PERCENT * (measuredSeconds - shortSeconds) / measuredSeconds;
      return measuredSeconds == 0
          ? OptionalDouble.empty()
          : OptionalDouble.of(Math.floor(PLACES * percent) / PLACES);
    }
  }

  /**
   * A time in which a subscriber got less than it was entitled to.
   *
   * @param from the begin of the first time of which that is known, in seconds of the epoch
   * @param to the end of the last one
   * @param seconds how much of that it lasted
   * @param stepSeconds how finely that is known
   * @param cause what limited it
   * @param entitledBps the rate that it was entitled to; 0 if that is not known
   * @param gotBps what it got
   */
  public record Breach(
      long from,
      long to,
      long seconds,
      long stepSeconds,
      Cause cause,
      long entitledBps,
      long gotBps) {}
}
