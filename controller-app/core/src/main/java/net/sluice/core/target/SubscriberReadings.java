package net.sluice.core.target;

import java.util.OptionalLong;
import java.util.Set;
import net.sluice.core.SubscriberCounters;
import net.sluice.core.SubscriberCounters.Traffic;
import net.sluice.intents.model.Direction;
import net.sluice.pipeconf.CounterCodec;
import net.sluice.pipeconf.CounterCodec.Point;
import net.sluice.pipeconf.CounterCodec.Reading;
import p4.v1.P4RuntimeOuterClass.CounterEntry;

/** Counter cells of a subscriber, as read from a switch, to its counters; absent cells count 0. */
public final class SubscriberReadings {
  /** Cells of a subscriber at most. */
  public static final int PLACES = Point.values().length * Direction.values().length;

  private SubscriberReadings() {}

  /** The sum of cells of one subscriber. */
  public static SubscriberCounters of(CounterCodec codec, Iterable<CounterEntry> cells) {
    long[] packets = new long[PLACES];
    long[] bytes = new long[PLACES];
    for (CounterEntry cell : cells) {
      if (codec.decode(cell) instanceof Reading.OfSubscriber reading) {
        int at = place(reading.point(), reading.direction());
        packets[at] += reading.packets();
        bytes[at] += reading.bytes();
      }
    }
    Set<Point> points = codec.points();
    return new SubscriberCounters(
        traffic(packets, bytes, points, Direction.DOWN),
        traffic(packets, bytes, points, Direction.UP));
  }

  private static Traffic traffic(
      long[] packets, long[] bytes, Set<Point> points, Direction direction) {
    int out = place(Point.OUT, direction);
    return new Traffic(
        counted(packets, points, Point.IN, direction),
        counted(bytes, points, Point.IN, direction),
        packets[out],
        bytes[out],
        counted(packets, points, Point.POLICED, direction),
        counted(bytes, points, Point.POLICED, direction),
        counted(packets, points, Point.OVERFLOWED, direction),
        counted(bytes, points, Point.OVERFLOWED, direction));
  }

  private static OptionalLong counted(
      long[] counts, Set<Point> points, Point point, Direction direction) {
    return points.contains(point)
        ? OptionalLong.of(counts[place(point, direction)])
        : OptionalLong.empty();
  }

  private static int place(Point point, Direction direction) {
    return 2 * point.ordinal() + direction.ordinal();
  }
}
