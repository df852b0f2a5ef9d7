package net.sluice.pipeconf;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.model.Ranges;
import net.sluice.intents.plan.SwitchEntry.PortQueue;
import net.sluice.pipeconf.p4info.CounterDescriptor;
import net.sluice.pipeconf.p4info.SluiceProgram;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Index;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * The counters of one program in P4Runtime; thread-safe. Each subscriber has two cells, down before
 * up; subscriber index 0 is traffic of no subscriber.
 */
public final class CounterCodec {
  private static final int QUEUE_BITS = 3;
  private static final int EVENT_BITS = 2;

  private final CounterDescriptor subscriberIn;
  private final CounterDescriptor subscriberOut;
  private final CounterDescriptor dropped;
  private final CounterDescriptor aqmEvents;

  /** Counters with the program's numbers. */
  public CounterCodec(SluiceProgram program) {
    this.subscriberIn = program.subscriberIn();
    this.subscriberOut = program.subscriberOut();
    this.dropped = program.dropped();
    this.aqmEvents = program.aqmEvents();
  }

  /** Where a subscriber's packets are counted. */
  public enum Point {
    /** As they enter the switch, before any limit or share. */
    IN,
    /** As they leave it: what the subscriber got. */
    OUT
  }

  /** What happens to an egress queue whose delay is managed; in the order of the cells. */
  public enum QueueEvent {
    /** A packet was dropped. */
    DROPPED,
    /** A packet was marked instead. */
    MARKED,
    /** The delay reached the target: a congestion cycle began. */
    CYCLE,
    /** A mirrored packet carried state from one copy of it to the other. */
    SYNCHRONISED
  }

  /** What a counter cell is. */
  public sealed interface Reading {
    /** Packets and bytes of one subscriber in one direction, since the program was loaded. */
    record OfSubscriber(
        Point point, int subscriberIndex, Direction direction, long packets, long bytes)
        implements Reading {}

    /** Packets and bytes dropped for one reason. */
    record OfDrops(DropReason reason, long packets, long bytes) implements Reading {}

    /** Packets and bytes of an event at a port's class queue. */
    record OfQueue(int port, int queue, QueueEvent event, long packets, long bytes)
        implements Reading {}

    /** A cell that stands for nothing Sluice reports. */
    record Other(int counterId, long index) implements Reading {}
  }

  /**
   * The cell of a subscriber's direction.
   *
   * @throws InvalidValueException if the index is beyond the program's subscribers
   */
  public int cell(int subscriberIndex, Direction direction) {
    Ranges.require("subscriber index", subscriberIndex, 0, subscriberIn.size() / 2 - 1);
    return subscriberIndex << 1 | direction.code();
  }

  /** A read request's entity for one cell. */
  public Entity read(Point point, int subscriberIndex, Direction direction) {
    return entity(counter(point).setIndex(index(subscriberIndex, direction)));
  }

  /** A read request's entity for all subscribers; the answer has two cells for each. */
  public Entity readAll(Point point) {
    return entity(counter(point));
  }

  /** A read request's entity for all drop reasons. */
  public Entity readDrops() {
    return entity(CounterEntry.newBuilder().setCounterId(dropped.id()));
  }

  /** A read request's entities for all events of one queue, 0..7, of a port. */
  public List<Entity> readQueue(int port, int queue) {
    List<Entity> cells = new ArrayList<>();
    for (QueueEvent event : QueueEvent.values()) {
      long cell = ((long) port << QUEUE_BITS | queue) << EVENT_BITS | event.ordinal();
      cells.add(
          entity(
              CounterEntry.newBuilder()
                  .setCounterId(aqmEvents.id())
                  .setIndex(Index.newBuilder().setIndex(cell))));
    }
    return cells;
  }

  /**
   * What cells that were read say of queues.
   *
   * @param cells in any order
   * @return a reading for each event of each queue that is among the cells
   */
  public Map<PortQueue, Map<QueueEvent, Reading.OfQueue>> byQueue(Iterable<CounterEntry> cells) {
    Map<PortQueue, Map<QueueEvent, Reading.OfQueue>> queues = new HashMap<>();
    for (CounterEntry cell : cells) {
      if (decode(cell) instanceof Reading.OfQueue of) {
        queues
            .computeIfAbsent(
                new PortQueue(of.port(), of.queue()), q -> new EnumMap<>(QueueEvent.class))
            .put(of.event(), of);
      }
    }
    return queues;
  }

  /** The update that sets a cell to zero, for an index that passes to another subscriber. */
  public Update clear(Point point, int subscriberIndex, Direction direction) {
    return Update.newBuilder()
        .setType(Update.Type.MODIFY)
        .setEntity(
            entity(
                counter(point)
                    .setIndex(index(subscriberIndex, direction))
                    .setData(CounterData.getDefaultInstance())))
        .build();
  }

  /** What a cell read from a switch is. */
  public Reading decode(CounterEntry entry) {
    int id = entry.getCounterId();
    long cell = entry.getIndex().getIndex();
    long packets = entry.getData().getPacketCount();
    long bytes = entry.getData().getByteCount();
    if (id == dropped.id()) {
      for (DropReason reason : DropReason.values()) {
        if (reason.code() == cell) {
          return new Reading.OfDrops(reason, packets, bytes);
        }
      }
    }
    if (id == aqmEvents.id() && cell >= 0 && cell < aqmEvents.size()) {
      int queue = (int) (cell >>> EVENT_BITS);
      return new Reading.OfQueue(
          queue >>> QUEUE_BITS,
          queue & (1 << QUEUE_BITS) - 1,
          QueueEvent.values()[(int) cell & (1 << EVENT_BITS) - 1],
          packets,
          bytes);
    }
    boolean in = id == subscriberIn.id();
    if ((in || id == subscriberOut.id()) && cell >= 0 && cell < subscriberIn.size()) {
      Direction direction = (cell & 1) == Direction.DOWN.code() ? Direction.DOWN : Direction.UP;
      return new Reading.OfSubscriber(
          in ? Point.IN : Point.OUT, (int) (cell >>> 1), direction, packets, bytes);
    }
    return new Reading.Other(id, cell);
  }

  private Index index(int subscriberIndex, Direction direction) {
    return Index.newBuilder().setIndex(cell(subscriberIndex, direction)).build();
  }

  private CounterEntry.Builder counter(Point point) {
    return CounterEntry.newBuilder()
        .setCounterId(point == Point.IN ? subscriberIn.id() : subscriberOut.id());
  }

  private static Entity entity(CounterEntry.Builder entry) {
    return Entity.newBuilder().setCounterEntry(entry).build();
  }
}
