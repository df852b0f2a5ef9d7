package net.sluice.onos.southbound;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import net.sluice.core.QueueCounters;
import net.sluice.core.SubscriberCounters;
import net.sluice.core.SubscriberCounters.Traffic;
import net.sluice.core.target.QueueReadings;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.PortQueue;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.pipeconf.CounterCodec;
import net.sluice.pipeconf.CounterCodec.Point;
import net.sluice.pipeconf.CounterCodec.Reading;
import net.sluice.pipeconf.SwitchPipeline;
import org.onosproject.net.DeviceId;
import org.onosproject.net.pi.runtime.PiCounterCell;
import org.onosproject.net.pi.runtime.PiCounterCellHandle;
import org.onosproject.net.pi.runtime.PiCounterCellId;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Index;

/** A subscriber's counter cells as ONOS names them. */
final class PiCounters {
  private static final int PLACES = Point.values().length * Direction.values().length;

  private final CounterCodec codec;
  private final PiNames names;

  PiCounters(SwitchPipeline pipeline, PiNames names) {
    this.codec = pipeline.counters();
    this.names = names;
  }

  private List<PiCounterCellId> cells(int subscriberIndex) {
    List<PiCounterCellId> cells = new ArrayList<>(PLACES);
    for (Entity each : codec.read(subscriberIndex)) {
      cells.add(cell(each.getCounterEntry()));
    }
    return cells;
  }

  /** The cells to read of queues. */
  List<PiCounterCellHandle> handles(DeviceId deviceId, List<PortQueue> queues) {
    return queues.stream()
        .flatMap(queue -> codec.readQueue(queue.port(), queue.queue()).stream())
        .map(entity -> PiCounterCellHandle.of(deviceId, cell(entity.getCounterEntry())))
        .toList();
  }

  private PiCounterCellId cell(CounterEntry entry) {
    return PiCounterCellId.ofIndirect(
        names.counter(entry.getCounterId()), entry.getIndex().getIndex());
  }

  /** What cells that were read say of queues, in the order of {@code queues}. */
  List<QueueCounters> ofQueues(Collection<PiCounterCell> cells, List<PortQueue> queues) {
    return QueueReadings.of(codec, cells.stream().map(this::entry).toList(), queues);
  }

  /** The cells to read of a subscriber. */
  List<PiCounterCellHandle> handles(DeviceId deviceId, int subscriberIndex) {
    return cells(subscriberIndex).stream()
        .map(cell -> PiCounterCellHandle.of(deviceId, cell))
        .toList();
  }

  /** The cells of the entry's subscriber index, all zero. */
  List<PiCounterCell> cleared(SwitchEntry entry) {
    if (entry.subscriberIndex() == 0) {
      return List.of();
    }
    return cells(entry.subscriberIndex()).stream()
        .map(cell -> new PiCounterCell(cell, 0, 0))
        .toList();
  }

  /** What cells that were read say of their subscriber. */
  SubscriberCounters sum(Collection<PiCounterCell> cells) {
    long[] packets = new long[PLACES];
    long[] bytes = new long[PLACES];
    for (PiCounterCell cell : cells) {
      if (codec.decode(entry(cell)) instanceof Reading.OfSubscriber reading) {
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

  private CounterEntry entry(PiCounterCell cell) {
    return CounterEntry.newBuilder()
        .setCounterId(names.counter(cell.cellId().counterId()))
        .setIndex(Index.newBuilder().setIndex(cell.cellId().index()))
        .setData(
            CounterData.newBuilder()
                .setPacketCount(cell.data().packets())
                .setByteCount(cell.data().bytes()))
        .build();
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
