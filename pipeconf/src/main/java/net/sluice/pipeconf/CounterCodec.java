package net.sluice.pipeconf;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import net.sluice.intents.model.PortQueue;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.limit.SubscriberLimitEntry;
import net.sluice.intents.plan.entry.marker.AggregateEntry;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.p4info.AggregateSluiceProgram;
import net.sluice.pipeconf.p4info.CounterDescriptor;
import net.sluice.pipeconf.p4info.SluiceProgram;
import net.sluice.pipeconf.p4info.TnaSluiceProgram;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Index;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * The counters of one program in P4Runtime; thread-safe. Subscriber index 0 is traffic of no
 * subscriber, where a program counts that.
 */
public final class CounterCodec {
  private static final int QUEUE_BITS = 3;
  private static final int EVENT_BITS = 2;

  /** Bits of a cell of RIO's, beside its queue. */
  private static final int RIO_IN = 2;

  /** Places that count a subscriber only under a shaped limit. */
  private static final List<Point> OF_SHAPED_LIMIT =
      Stream.concat(SubscriberCells.LIMIT_EVENTS.stream(), Stream.of(Point.OVERFLOWED)).toList();

  private static final int RIO_DROPPED = 1;

  private final SubscriberCells subscribers;
  private final CounterDescriptor dropped;
  private final Optional<CounterDescriptor> aqmEvents;
  private final Optional<CounterDescriptor> aggregateMarks;
  private final Optional<CounterDescriptor> rioEvents;
  private final Optional<CounterDescriptor> nextHopDropped;
  private final Optional<CounterDescriptor> unknown;

  private CounterCodec(
      SubscriberCells subscribers,
      CounterDescriptor dropped,
      Optional<CounterDescriptor> aqmEvents,
      Optional<CounterDescriptor> aggregateMarks,
      Optional<CounterDescriptor> rioEvents,
      Optional<CounterDescriptor> nextHopDropped,
      Optional<CounterDescriptor> unknown) {
    this.subscribers = subscribers;
    this.dropped = dropped;
    this.aqmEvents = aqmEvents;
    this.aggregateMarks = aggregateMarks;
    this.rioEvents = rioEvents;
    this.nextHopDropped = nextHopDropped;
    this.unknown = unknown;
  }

  /** Counters with the program's numbers. */
  public static CounterCodec of(AggregateSluiceProgram program) {
    return new CounterCodec(
        SubscriberCells.paired(
            Map.of(
                Point.IN, program.subscriberIn(),
                Point.OUT, program.subscriberOut(),
                Point.POLICED, program.subscriberPoliced(),
                Point.OVERFLOWED, program.subscriberOverflowed(),
                Point.SUSPENDED, program.subscriberSuspended()),
            program.limitEvents()),
        program.dropped(),
        Optional.of(program.aqmEvents()),
        Optional.of(program.aggregateMarks()),
        Optional.of(program.rioEvents()),
        Optional.of(program.nextHopDropped()),
        Optional.of(program.unknown()));
  }

  /** Counters with the program's numbers. */
  public static CounterCodec of(SluiceProgram program) {
    return new CounterCodec(
        SubscriberCells.paired(
            Map.of(
                Point.IN, program.subscriberIn(),
                Point.OUT, program.subscriberOut(),
                Point.POLICED, program.subscriberPoliced(),
                Point.OVERFLOWED, program.subscriberOverflowed(),
                Point.SUSPENDED, program.subscriberSuspended()),
            program.limitEvents()),
        program.dropped(),
        Optional.of(program.aqmEvents()),
        Optional.empty(),
        Optional.empty(),
        Optional.of(program.nextHopDropped()),
        Optional.of(program.unknown()));
  }

  /**
   * Counters with the program's numbers.
   *
   * @param markers how it divides subscribers
   */
  public static CounterCodec of(TnaSluiceProgram program, MarkerLayout markers) {
    return new CounterCodec(
        SubscriberCells.divided(program.down(), program.up(), markers),
        program.dropped(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** Where a subscriber's packets are counted. */
  public enum Point {
    /** As they enter the switch, before any limit or share. */
    IN,
    /** As they leave it: what the subscriber got. */
    OUT,
    /** Those that a policed rate limit dropped. */
    POLICED,
    /** Those that found no room under a shaped rate limit, or would have waited too long there. */
    OVERFLOWED,
    /** Those dropped because the subscriber was suspended. */
    SUSPENDED,
    /** Those let in under a shaped rate limit, by their wait; see {@link WaitRange}. */
    WAITED_UP_TO_1_MILLI,
    /** See {@link WaitRange#UP_TO_5_MILLIS}. */
    WAITED_UP_TO_5_MILLIS,
    /** See {@link WaitRange#UP_TO_20_MILLIS}. */
    WAITED_UP_TO_20_MILLIS,
    /** See {@link WaitRange#UP_TO_100_MILLIS}. */
    WAITED_UP_TO_100_MILLIS,
    /** See {@link WaitRange#LONGER}. */
    WAITED_LONGER,
    /** Those that CoDel of a shaped rate limit dropped. */
    LIMIT_DROPPED,
    /** Those that were marked by ECN under a shaped rate limit. */
    LIMIT_MARKED,
    /** Those that went before what waited under a shaped rate limit. */
    LIMIT_FIRST
  }

  /** The counted events of an egress queue whose delay is managed; in the order of the cells. */
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

  /** The subject and the value of a counter cell. */
  public sealed interface Reading {
    /** Packets and bytes of one subscriber in one direction, since the program was loaded. */
    record OfSubscriber(
        Point point, int subscriberIndex, Direction direction, long packets, long bytes)
        implements Reading {}

    /** Packets and bytes dropped for one reason. */
    record OfDrops(DropReason reason, long packets, long bytes) implements Reading {}

    /** Packets and bytes that were to go to the next hop of a port, which did not answer. */
    record OfNextHop(int port, long packets, long bytes) implements Reading {}

    /** Packets and bytes of addresses that no subscriber has, which entered a port. */
    record OfUnknown(int port, long packets, long bytes) implements Reading {}

    /** Packets and bytes of an event at a port's class queue. */
    record OfQueue(int port, int queue, QueueEvent event, long packets, long bytes)
        implements Reading {}

    /** Packets and bytes that RIO let into a port's class queue, or did not. */
    record OfRio(int port, int queue, boolean inProfile, boolean dropped, long packets, long bytes)
        implements Reading {}

    /** Packets and bytes of an aggregate within its contract, or without. */
    record OfAggregate(int aggregate, boolean inProfile, long packets, long bytes)
        implements Reading {}

    /** A cell that stands for nothing Sluice reports. */
    record Other(int counterId, long index) implements Reading {}
  }

  /** Where the program counts subscribers' packets. */
  public Set<Point> points() {
    return subscribers.points();
  }

  /**
   * A read request's entity for one cell.
   *
   * @throws InvalidValueException if the program does not count there, or the index is beyond its
   *     subscribers
   */
  public Entity read(Point point, int subscriberIndex, Direction direction) {
    return entity(cell(point, subscriberIndex, direction));
  }

  /** A read request's entities for all cells of a subscriber. */
  public List<Entity> read(int subscriberIndex) {
    List<Entity> cells = new ArrayList<>();
    for (Point point : points()) {
      for (Direction direction : Direction.values()) {
        cells.add(read(point, subscriberIndex, direction));
      }
    }
    return cells;
  }

  /** Read request's entities for all cells of the counters that have cells of these points. */
  public List<Entity> readAll(Set<Point> of) {
    return subscribers.counters(of).stream()
        .map(counter -> entity(CounterEntry.newBuilder().setCounterId(counter.id())))
        .toList();
  }

  /** The cells that {@link #readAll} reads. */
  public long cells(Set<Point> of) {
    return subscribers.counters(of).stream().mapToLong(CounterDescriptor::size).sum();
  }

  /** Passes on a cell that was read from a switch, if it counts for a subscriber. */
  public void pass(int counterId, long cell, long packets, long bytes, CounterSink sink) {
    subscribers.pass(counterId, cell, packets, bytes, sink);
  }

  /** Whether that is counted only under a limit that the switch shapes. */
  public static boolean isOfShapedLimit(Point point) {
    return OF_SHAPED_LIMIT.contains(point);
  }

  /** A read request's entity for all drop reasons. */
  public Entity readDrops() {
    return entity(CounterEntry.newBuilder().setCounterId(dropped.id()));
  }

  /**
   * A read request's entities for all events of one queue, 0..7, of a port, and for what RIO before
   * it did; none if the program manages no queues.
   */
  public List<Entity> readQueue(int port, int queue) {
    List<Entity> cells = new ArrayList<>();
    for (int event = 0; event < 1 << EVENT_BITS; event++) {
      long cell = ((long) port << QUEUE_BITS | queue) << EVENT_BITS | event;
      Stream.of(aqmEvents, rioEvents)
          .flatMap(Optional::stream)
          .forEach(
              counter ->
                  cells.add(
                      entity(
                          CounterEntry.newBuilder()
                              .setCounterId(counter.id())
                              .setIndex(Index.newBuilder().setIndex(cell)))));
    }
    return cells;
  }

  /**
   * A read request's entities for what a port drops for want of a next hop; none if it asks none.
   */
  public List<Entity> readNextHop(int port) {
    return ofPort(nextHopDropped, port);
  }

  /** Whether the program counts packets of addresses that no subscriber has. */
  public boolean countsUnknown() {
    return unknown.isPresent();
  }

  /** A read request's entities for those that entered a port; none if it does not count them. */
  public List<Entity> readUnknown(int port) {
    return ofPort(unknown, port);
  }

  private static List<Entity> ofPort(Optional<CounterDescriptor> of, int port) {
    return of.stream()
        .map(
            counter ->
                entity(
                    CounterEntry.newBuilder()
                        .setCounterId(counter.id())
                        .setIndex(Index.newBuilder().setIndex(port))))
        .toList();
  }

  /** A read request's entities for what of an aggregate is IN and OUT; none if it has no such. */
  public List<Entity> readAggregate(int aggregate) {
    List<Entity> cells = new ArrayList<>();
    for (int out = 0; out <= 1; out++) {
      long cell = (long) aggregate << 1 | out;
      aggregateMarks.ifPresent(
          counter ->
              cells.add(
                  entity(
                      CounterEntry.newBuilder()
                          .setCounterId(counter.id())
                          .setIndex(Index.newBuilder().setIndex(cell)))));
    }
    return cells;
  }

  /**
   * Decodes the cells that count events of queues.
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

  /**
   * The updates that set a subscriber's cells to zero, for an index that passes to another; but for
   * those of a shaped limit, which go with its entry.
   */
  public List<Update> clear(int subscriberIndex) {
    List<Update> updates = new ArrayList<>();
    for (Point point : points()) {
      if (!OF_SHAPED_LIMIT.contains(point)) {
        for (Direction direction : Direction.values()) {
          updates.add(zero(cell(point, subscriberIndex, direction)));
        }
      }
    }
    return updates;
  }

  private static Update zero(CounterEntry.Builder cell) {
    return Update.newBuilder()
        .setType(Update.Type.MODIFY)
        .setEntity(entity(cell.setData(CounterData.getDefaultInstance())))
        .build();
  }

  /**
   * The updates that set the cells of a subscriber, a shaped limit or an aggregate to zero when an
   * entry is deleted.
   *
   * @param retires true if the deletion leaves the entry's subscriber index free
   */
  public List<Update> clear(SwitchEntry deleted, boolean retires) {
    List<Update> updates = new ArrayList<>();
    if (retires && deleted.subscriberIndex() != 0) {
      updates.addAll(clear(deleted.subscriberIndex()));
    }
    if (deleted instanceof SubscriberLimitEntry limit) {
      for (Point point : OF_SHAPED_LIMIT) {
        updates.add(zero(cell(point, limit.index(), limit.direction())));
      }
    }
    if (deleted instanceof AggregateEntry of) {
      updates.addAll(clearAggregate(of.aggregate()));
    }
    return updates;
  }

  /** The updates that set the cells of an aggregate to zero; none if it has no such. */
  public List<Update> clearAggregate(int aggregate) {
    return readAggregate(aggregate).stream()
        .map(cell -> zero(cell.getCounterEntry().toBuilder()))
        .toList();
  }

  /** Decodes a cell that was read from a switch. */
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
    if (aqmEvents.isPresent()
        && id == aqmEvents.get().id()
        && cell >= 0
        && cell < aqmEvents.get().size()) {
      int queue = (int) (cell >>> EVENT_BITS);
      return new Reading.OfQueue(
          queue >>> QUEUE_BITS,
          queue & (1 << QUEUE_BITS) - 1,
          QueueEvent.values()[(int) cell & (1 << EVENT_BITS) - 1],
          packets,
          bytes);
    }
    if (rioEvents.isPresent()
        && id == rioEvents.get().id()
        && cell >= 0
        && cell < rioEvents.get().size()) {
      int queue = (int) (cell >>> EVENT_BITS);
      return new Reading.OfRio(
          queue >>> QUEUE_BITS,
          queue & (1 << QUEUE_BITS) - 1,
          (cell & RIO_IN) != 0,
          (cell & RIO_DROPPED) != 0,
          packets,
          bytes);
    }
    if (nextHopDropped.isPresent() && id == nextHopDropped.get().id()) {
      return new Reading.OfNextHop((int) cell, packets, bytes);
    }
    if (unknown.isPresent() && id == unknown.get().id()) {
      return new Reading.OfUnknown((int) cell, packets, bytes);
    }
    if (aggregateMarks.isPresent() && id == aggregateMarks.get().id()) {
      return new Reading.OfAggregate((int) (cell >>> 1), (cell & 1) == 0, packets, bytes);
    }
    Optional<SubscriberCells.Subject> subject = subscribers.subject(id, cell);
    if (subject.isPresent()) {
      SubscriberCells.Subject of = subject.get();
      return new Reading.OfSubscriber(of.point(), of.index(), of.direction(), packets, bytes);
    }
    return new Reading.Other(id, cell);
  }

  private CounterEntry.Builder cell(Point point, int subscriberIndex, Direction direction) {
    SubscriberCells.Cell cell =
        subscribers.cell(new SubscriberCells.Subject(point, subscriberIndex, direction));
    return CounterEntry.newBuilder()
        .setCounterId(cell.counterId())
        .setIndex(Index.newBuilder().setIndex(cell.index()));
  }

  private static Entity entity(CounterEntry.Builder entry) {
    return Entity.newBuilder().setCounterEntry(entry).build();
  }
}
