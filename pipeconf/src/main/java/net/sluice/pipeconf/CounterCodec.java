package net.sluice.pipeconf;

import net.sluice.intents.model.Direction;
import net.sluice.intents.model.InvalidValueException;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Update;

/** The switch's counters in P4Runtime. Subscriber index 0 is traffic of no subscriber. */
public interface CounterCodec {
  /** Where a subscriber's packets are counted. */
  enum Point {
    /** As they enter the switch, before any limit or share. */
    IN,
    /** As they leave it: what the subscriber got. */
    OUT
  }

  /** What a counter cell is. */
  sealed interface Reading {
    /** Packets and bytes of one subscriber in one direction, since the program was loaded. */
    record OfSubscriber(
        Point point, int subscriberIndex, Direction direction, long packets, long bytes)
        implements Reading {}

    /** Packets and bytes dropped for one reason. */
    record OfDrops(DropReason reason, long packets, long bytes) implements Reading {}

    /** A cell that stands for nothing Sluice reports. */
    record Other(int counterId, long index) implements Reading {}
  }

  /**
   * The cell of a subscriber's direction.
   *
   * @throws InvalidValueException if the index is beyond the program's subscribers
   */
  int cell(int subscriberIndex, Direction direction);

  /** A read request's entity for one cell. */
  Entity read(Point point, int subscriberIndex, Direction direction);

  /** A read request's entity for all subscribers; the answer has two cells for each. */
  Entity readAll(Point point);

  /** A read request's entity for all drop reasons. */
  Entity readDrops();

  /** The update that sets a cell to zero, for an index that passes to another subscriber. */
  Update clear(Point point, int subscriberIndex, Direction direction);

  /** What a cell read from a switch is. */
  Reading decode(CounterEntry entry);
}
