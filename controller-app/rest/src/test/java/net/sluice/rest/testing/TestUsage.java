package net.sluice.rest.testing;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.sluice.intents.value.Direction;
import net.sluice.intents.verdict.Cause;
import net.sluice.northbound.usage.Delay;
import net.sluice.northbound.usage.Judge;
import net.sluice.northbound.usage.KeptTime;
import net.sluice.northbound.usage.Measured;
import net.sluice.northbound.usage.Rates;
import net.sluice.northbound.usage.Sweeps;
import net.sluice.northbound.usage.Usage;
import net.sluice.northbound.usage.UsagePoint;
import net.sluice.northbound.usage.UsageSeries;

/** Usage that is always the same, and has a gap a quarter past each hour. */
public final class TestUsage implements Usage {
  /** The time that it is. */
  public static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  private static final Instant LAST = Instant.parse("2026-01-02T03:04:00Z");
  private static final Rates DOWN =
      new Rates(
          12_000_000,
          10_000_000,
          1_000_000,
          500_000,
          0,
          500_000,
          Optional.of(new Delay(0.62, 4.5, 19.25)));
  private static final Rates UP = new Rates(800_000, 800_000, 0, 0, 0, 0, Optional.empty());
  private static final long GAP_SECONDS = 900;
  private static final long AN_HOUR = 3_600;
  private static final long A_MINUTE = 60;

  private static UsagePoint point(Instant at) {
    return at.getEpochSecond() % AN_HOUR == GAP_SECONDS
        ? UsagePoint.gap(at)
        : new UsagePoint(at, Optional.of(DOWN), Optional.of(UP));
  }

  @Override
  public Optional<UsagePoint> latest(Measured which) {
    return Optional.of(point(LAST));
  }

  @Override
  public Optional<UsagePoint> at(Measured which, Instant at) {
    return Optional.of(point(at));
  }

  @Override
  public UsageSeries points(Measured which, Instant from, Instant to, Duration step) {
    long wide = step.toSeconds();
    long begin = from.getEpochSecond() / wide * wide;
    long end = to.getEpochSecond() / wide * wide;
    List<UsagePoint> points = new ArrayList<>();
    for (long at = begin + wide; at <= end; at += wide) {
      points.add(point(Instant.ofEpochSecond(at)));
    }
    return new UsageSeries(Instant.ofEpochSecond(begin), Instant.ofEpochSecond(end), step, points);
  }

  @Override
  public void walk(String switchName, Visitor visitor) {
    visitor.visit("alice", point(LAST));
  }

  /** The first minute is well, the second short, the third a gap. */
  @Override
  public Window walk(List<String> ids, Instant from, Instant to, TimeVisitor visitor) {
    long begin = Math.floorDiv(from.getEpochSecond(), A_MINUTE) * A_MINUTE;
    for (int i = 0; i < ids.size(); i++) {
      visitor.time(
          i, Direction.DOWN, time(begin, new Judge.Finding(Cause.OWN_LIMIT, 10_000_000, false), 0));
      visitor.time(i, Direction.UP, time(begin, new Judge.Finding(Cause.NOTHING, 0, false), 0));
      visitor.time(
          i,
          Direction.DOWN,
          time(begin + A_MINUTE, new Judge.Finding(Cause.CONGESTION, 15_000_000, true), 0.5));
      visitor.time(
          i, Direction.UP, time(begin + A_MINUTE, new Judge.Finding(Cause.PORT_DOWN, 0, true), 1));
    }
    return new Window(
        Instant.ofEpochSecond(begin),
        Instant.ofEpochSecond(Math.floorDiv(to.getEpochSecond(), A_MINUTE) * A_MINUTE));
  }

  private static KeptTime time(long from, Judge.Finding finding, double shortShare) {
    return finding.cause() == Cause.NOTHING
        ? new KeptTime(from, from + A_MINUTE, 800_000, finding, shortShare)
        : new KeptTime(from, from + A_MINUTE, 10_000_000, finding, shortShare, 60, 30, 5, 3, 2);
  }

  @Override
  public Top top(Order by, Direction direction, int limit) {
    return new Top(
        Optional.of(LAST),
        direction == Direction.DOWN ? List.of(new Top.Entry("alice", DOWN)) : List.of());
  }

  @Override
  public Instant now() {
    return NOW;
  }

  @Override
  public Optional<Sweeps> sweeps() {
    return Optional.of(
        new Sweeps(
            Duration.ofMinutes(1),
            NOW.minusSeconds(AN_HOUR),
            Optional.of(LAST),
            Duration.ofMillis(1_500),
            59,
            1,
            2,
            Map.of("bng2", "the switch is not connected"),
            4_096));
  }
}
