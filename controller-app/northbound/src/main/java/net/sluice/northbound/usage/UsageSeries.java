package net.sluice.northbound.usage;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Points at equal distances, gaps among them.
 *
 * @param from begin of the first point's time
 * @param to end of the last one's
 * @param step the time of each
 */
public record UsageSeries(Instant from, Instant to, Duration step, List<UsagePoint> points) {
  public UsageSeries {
    points = List.copyOf(points);
  }
}
