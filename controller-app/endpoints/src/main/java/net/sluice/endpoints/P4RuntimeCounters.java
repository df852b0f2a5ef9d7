package net.sluice.endpoints;

import java.util.List;
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
  private P4RuntimeCounters() {}

  static SubscriberCounters sum(CounterCodec codec, List<Entity> cells) {
    long[] packets = new long[4];
    long[] bytes = new long[4];
    for (Entity cell : cells) {
      if (codec.decode(cell.getCounterEntry()) instanceof Reading.OfSubscriber reading) {
        int at = place(reading.point(), reading.direction());
        packets[at] += reading.packets();
        bytes[at] += reading.bytes();
      }
    }
    boolean in = codec.points().contains(Point.IN);
    return new SubscriberCounters(
        traffic(packets, bytes, in, Direction.DOWN), traffic(packets, bytes, in, Direction.UP));
  }

  /** The updates that set the counters of the entry's subscriber index to zero. */
  static List<Update> clear(CounterCodec codec, SwitchEntry entry) {
    return entry.subscriberIndex() == 0 ? List.of() : codec.clear(entry.subscriberIndex());
  }

  private static Traffic traffic(
      long[] packets, long[] bytes, boolean countsIn, Direction direction) {
    int in = place(Point.IN, direction);
    int out = place(Point.OUT, direction);
    return countsIn
        ? new Traffic(packets[in], bytes[in], packets[out], bytes[out])
        : Traffic.sent(packets[out], bytes[out]);
  }

  private static int place(Point point, Direction direction) {
    return 2 * point.ordinal() + direction.ordinal();
  }
}
