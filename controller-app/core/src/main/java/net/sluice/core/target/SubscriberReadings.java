package net.sluice.core.target;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.sluice.core.traffic.SubscriberCounters;
import net.sluice.core.traffic.SubscriberCounters.Count;
import net.sluice.core.traffic.SubscriberCounters.Marked;
import net.sluice.core.traffic.SubscriberCounters.Traffic;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.CounterCodec;
import net.sluice.pipeconf.CounterCodec.Point;
import net.sluice.pipeconf.CounterCodec.Reading;
import p4.v1.P4RuntimeOuterClass.CounterEntry;

/** Counter cells of a subscriber, as read from a switch, to its counters; absent cells count 0. */
public final class SubscriberReadings {
  /** Cells of a subscriber at most. */
  private static final int PLACES = Point.values().length * Direction.values().length;

  private SubscriberReadings() {}

  /** The sum of cells of one subscriber. */
  public static SubscriberCounters of(CounterCodec codec, Iterable<CounterEntry> cells) {
    Count[] counts = new Count[PLACES];
    Arrays.fill(counts, new Count(0, 0));
    for (CounterEntry cell : cells) {
      if (codec.decode(cell) instanceof Reading.OfSubscriber reading) {
        int at = place(reading.point(), reading.direction());
        counts[at] =
            new Count(
                counts[at].packets() + reading.packets(), counts[at].bytes() + reading.bytes());
      }
    }
    Set<Point> points = codec.points();
    return new SubscriberCounters(
        traffic(counts, points, Direction.DOWN), traffic(counts, points, Direction.UP));
  }

  /** Cells of aggregates to what was marked; {@code numbers} by direction. */
  public static Map<Direction, Marked> marked(
      CounterCodec codec, Iterable<CounterEntry> cells, Map<Direction, Integer> numbers) {
    Map<Direction, Marked> marked = new EnumMap<>(Direction.class);
    numbers.forEach(
        (direction, number) -> {
          long[] packets = new long[2];
          long[] bytes = new long[2];
          for (CounterEntry cell : cells) {
            if (codec.decode(cell) instanceof Reading.OfAggregate of && of.aggregate() == number) {
              int at = of.inProfile() ? 0 : 1;
              packets[at] = of.packets();
              bytes[at] = of.bytes();
            }
          }
          marked.put(direction, new Marked(packets[0], bytes[0], packets[1], bytes[1]));
        });
    return marked;
  }

  private static Traffic traffic(Count[] counts, Set<Point> points, Direction direction) {
    return new Traffic(
        counted(counts, points, Point.IN, direction),
        counts[place(Point.OUT, direction)],
        counted(counts, points, Point.POLICED, direction),
        counted(counts, points, Point.OVERFLOWED, direction),
        counted(counts, points, Point.SUSPENDED, direction));
  }

  private static Optional<Count> counted(
      Count[] counts, Set<Point> points, Point point, Direction direction) {
    return points.contains(point) ? Optional.of(counts[place(point, direction)]) : Optional.empty();
  }

  private static int place(Point point, Direction direction) {
    return 2 * point.ordinal() + direction.ordinal();
  }
}
