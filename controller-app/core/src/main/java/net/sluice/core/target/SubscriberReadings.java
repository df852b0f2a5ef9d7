package net.sluice.core.target;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import net.sluice.core.traffic.SubscriberCounters;
import net.sluice.core.traffic.SubscriberCounters.Count;
import net.sluice.core.traffic.SubscriberCounters.Marked;
import net.sluice.core.traffic.SubscriberCounters.Shaped;
import net.sluice.core.traffic.SubscriberCounters.Traffic;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.CounterCodec;
import net.sluice.pipeconf.CounterCodec.Point;
import net.sluice.pipeconf.CounterCodec.Reading;
import net.sluice.pipeconf.CounterSink;
import net.sluice.pipeconf.WaitRange;
import p4.v1.P4RuntimeOuterClass.CounterEntry;

/** Counter cells of a subscriber, as read from a switch, to its counters; absent cells count 0. */
public final class SubscriberReadings {
  private SubscriberReadings() {}

  /** The cells of one subscriber. */
  public static SubscriberCounters of(CounterCodec codec, Iterable<CounterEntry> cells) {
    Map<Direction, Map<Point, Count>> counts = new EnumMap<>(Direction.class);
    for (Direction direction : Direction.values()) {
      counts.put(direction, new EnumMap<>(Point.class));
      for (Point point : codec.points()) {
        counts.get(direction).put(point, Count.NONE);
      }
    }
    for (CounterEntry cell : cells) {
      if (codec.decode(cell) instanceof Reading.OfSubscriber reading) {
        counts
            .get(reading.direction())
            .put(reading.point(), new Count(reading.packets(), reading.bytes()));
      }
    }
    return new SubscriberCounters(
        traffic(counts.get(Direction.DOWN)), traffic(counts.get(Direction.UP)));
  }

  /** Passes on what was counted of a subscriber. */
  public static void pass(int index, SubscriberCounters counters, CounterSink sink) {
    for (Direction direction : Direction.values()) {
      Traffic traffic = counters.of(direction);
      Map<Point, Count> counts = new EnumMap<>(Point.class);
      traffic.in().ifPresent(count -> counts.put(Point.IN, count));
      counts.put(Point.OUT, traffic.out());
      traffic.policed().ifPresent(count -> counts.put(Point.POLICED, count));
      traffic.overflowed().ifPresent(count -> counts.put(Point.OVERFLOWED, count));
      traffic.suspended().ifPresent(count -> counts.put(Point.SUSPENDED, count));
      traffic
          .shaped()
          .ifPresent(
              shaped -> {
                counts.put(Point.LIMIT_DROPPED, shaped.dropped());
                shaped.waits().forEach((range, count) -> counts.put(range.point(), count));
              });
      counts.forEach(
          (point, count) -> sink.count(point, direction, index, count.packets(), count.bytes()));
    }
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

  /** {@code counts} has all points at which the program counts. */
  private static Traffic traffic(Map<Point, Count> counts) {
    return new Traffic(
        Optional.ofNullable(counts.get(Point.IN)),
        counts.get(Point.OUT),
        Optional.ofNullable(counts.get(Point.POLICED)),
        Optional.ofNullable(counts.get(Point.OVERFLOWED)),
        Optional.ofNullable(counts.get(Point.SUSPENDED)),
        Optional.ofNullable(counts.get(Point.LIMIT_FIRST)).map(first -> shaped(first, counts)));
  }

  private static Shaped shaped(Count first, Map<Point, Count> counts) {
    Map<WaitRange, Count> waits = new EnumMap<>(WaitRange.class);
    for (WaitRange range : WaitRange.values()) {
      waits.put(range, counts.get(range.point()));
    }
    return new Shaped(
        first, counts.get(Point.LIMIT_MARKED), counts.get(Point.LIMIT_DROPPED), waits);
  }
}
