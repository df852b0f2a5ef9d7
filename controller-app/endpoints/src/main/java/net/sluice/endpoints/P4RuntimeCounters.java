package net.sluice.endpoints;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import net.sluice.core.SubscriberCounters;
import net.sluice.core.SubscriberCounters.Traffic;
import net.sluice.intents.model.Direction;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.pipeconf.CounterCodec;
import net.sluice.pipeconf.CounterCodec.Point;
import net.sluice.pipeconf.CounterCodec.Reading;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Update;

/** Counter cells as read from a switch to what they say of a subscriber. */
final class P4RuntimeCounters {
  /** Cells of a subscriber at most. */
  static final int PLACES = Point.values().length * Direction.values().length;

  private P4RuntimeCounters() {}

  static SubscriberCounters sum(CounterCodec codec, List<Entity> cells) {
    long[] packets = new long[PLACES];
    long[] bytes = new long[PLACES];
    for (Entity cell : cells) {
      if (codec.decode(cell.getCounterEntry()) instanceof Reading.OfSubscriber reading) {
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

  /** The updates that set the counters of the entry's subscriber index to zero. */
  static List<Update> clear(CounterCodec codec, SwitchEntry entry) {
    return entry.subscriberIndex() == 0 ? List.of() : codec.clear(entry.subscriberIndex());
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
        counted(bytes, points, Point.POLICED, direction));
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
