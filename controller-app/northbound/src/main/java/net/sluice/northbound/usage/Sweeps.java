package net.sluice.northbound.usage;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * How the reading of all counters gets on.
 *
 * @param every how often they are read
 * @param since when that began
 * @param last the time of the last sweep that was kept; empty before the first
 * @param took how long it took
 * @param kept sweeps that were kept
 * @param missed sweeps that were left out, since one took too long or could not be kept
 * @param unread readings of switches that have failed
 * @param failing why the last reading of a switch failed, by its name, for people
 * @param bytes written since it began
 */
public record Sweeps(
    Duration every,
    Instant since,
    Optional<Instant> last,
    Duration took,
    long kept,
    long missed,
    long unread,
    Map<String, String> failing,
    long bytes) {
  public Sweeps {
    failing = Map.copyOf(failing);
  }

  /** The time since the last sweep that was kept, or since they began. */
  public Duration age(Instant now) {
    return Duration.between(last.orElse(since), now);
  }

  /** Whether several sweeps in a row are missing. */
  public boolean haveStopped(Instant now) {
    return age(now).compareTo(every.multipliedBy(3)) > 0;
  }
}
