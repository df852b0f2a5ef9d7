package net.sluice.northbound.explain;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import net.sluice.intents.value.Direction;
import net.sluice.intents.verdict.Cause;
import net.sluice.northbound.explain.SlaReport.Breach;
import net.sluice.northbound.explain.SlaReport.Gap;
import net.sluice.northbound.explain.SlaReport.Side;
import net.sluice.northbound.usage.Delay;
import net.sluice.northbound.usage.KeptTime;
import net.sluice.northbound.usage.Usage;

/**
 * The reports of some subscribers over a time.
 *
 * @param from its begin, of the finest step that is kept of it
 * @param to its end
 * @param reports theirs, in the order in which they were asked for
 */
public record SlaReports(Instant from, Instant to, List<SlaReport> reports) {
  public SlaReports {
    reports = List.copyOf(reports);
  }

  /** Makes the reports of what is kept. */
  public static SlaReports of(Usage usage, List<String> ids, Instant from, Instant to) {
    List<Draft> drafts = ids.stream().map(Draft::new).toList();
    Usage.Window window =
        usage.walk(ids, from, to, (subscriber, way, time) -> drafts.get(subscriber).add(way, time));
    return new SlaReports(
        window.from(),
        window.to(),
        drafts.stream()
            .map(draft -> draft.done(window.from().getEpochSecond(), window.to().getEpochSecond()))
            .toList());
  }

  /** A report that is being made, time by time. */
  private static final class Draft {
    private final String id;
    private final List<Gap> gaps = new ArrayList<>();
    private final Map<Direction, Way> ways = new EnumMap<>(Direction.class);
    private long end = Long.MIN_VALUE;
    private long firstFrom;

    Draft(String id) {
      this.id = id;
      for (Direction direction : Direction.values()) {
        ways.put(direction, new Way());
      }
    }

    void add(Direction direction, KeptTime time) {
      if (end == Long.MIN_VALUE) {
        firstFrom = time.from();
      } else if (time.from() > end) {
        gaps.add(new Gap(end, time.from()));
      }
      end = Math.max(end, time.to());
      ways.get(direction).add(time);
    }

    SlaReport done(long from, long to) {
      if (end == Long.MIN_VALUE) {
        if (from < to) {
          gaps.add(new Gap(from, to));
        }
      } else {
        if (firstFrom > from) {
          gaps.add(0, new Gap(from, firstFrom));
        }
        if (end < to) {
          gaps.add(new Gap(end, to));
        }
      }
      Map<Direction, Side> sides = new EnumMap<>(Direction.class);
      ways.forEach((direction, way) -> sides.put(direction, way.done()));
      return new SlaReport(id, gaps, sides);
    }
  }

  /** One direction of it. */
  private static final class Way {
    private static final double LEAST = 1;

    private final double[] waits = Delay.none();
    private final List<Breach> breaches = new ArrayList<>();
    private long measured;
    private long suspended;
    private double shortfall;

    /** The breach that goes on: its times, weighed by how much of each was short. */
    private long from;

    private long to;
    private long step;
    private Cause cause;
    private double seconds;
    private double entitled;
    private double got;

    void add(KeptTime time) {
      long length = time.to() - time.from();
      measured += length;
      if (time.finding().cause() == Cause.SUSPENDED && time.shortShare() == 0) {
        suspended += length;
      }
      time.addWaits(waits);
      double here = time.shortShare() * length;
      if (cause != null && (here == 0 || time.from() != to || time.finding().cause() != cause)) {
        end();
      }
      if (here == 0) {
        return;
      }
      if (cause == null) {
        cause = time.finding().cause();
        from = time.from();
        step = 0;
        seconds = 0;
        entitled = 0;
        got = 0;
      }
      to = time.to();
      step = Math.max(step, length);
      seconds += here;
      entitled += here * time.finding().entitledBps();
      got += here * time.gotBps();
      shortfall += here;
    }

    private void end() {
      breaches.add(
          new Breach(
              from,
              to,
              Math.round(Math.max(LEAST, seconds)),
              step,
              cause,
              Math.round(entitled / seconds),
              Math.round(got / seconds)));
      cause = null;
    }

    Side done() {
      if (cause != null) {
        end();
      }
      return new Side(measured, suspended, Math.round(shortfall), Delay.of(waits), breaches);
    }
  }
}
