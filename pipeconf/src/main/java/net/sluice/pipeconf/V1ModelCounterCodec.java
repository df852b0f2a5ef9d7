package net.sluice.pipeconf;

import net.sluice.intents.model.Direction;
import net.sluice.intents.model.Ranges;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Index;
import p4.v1.P4RuntimeOuterClass.Update;

/** Counters of the v1model program: two cells for each subscriber, down before up. */
final class V1ModelCounterCodec implements CounterCodec {
  private static final int CELLS = SluicePipeline.COUNTER_SUBSCRIBER_IN_SIZE;

  @Override
  public int cell(int subscriberIndex, Direction direction) {
    Ranges.require("subscriber index", subscriberIndex, 0, CELLS / 2 - 1);
    return subscriberIndex << 1 | direction.code();
  }

  @Override
  public Entity read(Point point, int subscriberIndex, Direction direction) {
    return entity(counter(point).setIndex(index(subscriberIndex, direction)));
  }

  @Override
  public Entity readAll(Point point) {
    return entity(counter(point));
  }

  @Override
  public Entity readDrops() {
    return entity(CounterEntry.newBuilder().setCounterId(SluicePipeline.COUNTER_DROPPED));
  }

  @Override
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

  @Override
  public Reading decode(CounterEntry entry) {
    int id = entry.getCounterId();
    long cell = entry.getIndex().getIndex();
    long packets = entry.getData().getPacketCount();
    long bytes = entry.getData().getByteCount();
    if (id == SluicePipeline.COUNTER_DROPPED) {
      for (DropReason reason : DropReason.values()) {
        if (reason.code() == cell) {
          return new Reading.OfDrops(reason, packets, bytes);
        }
      }
    }
    boolean in = id == SluicePipeline.COUNTER_SUBSCRIBER_IN;
    if ((in || id == SluicePipeline.COUNTER_SUBSCRIBER_OUT) && cell >= 0 && cell < CELLS) {
      Direction direction = (cell & 1) == Direction.DOWN.code() ? Direction.DOWN : Direction.UP;
      return new Reading.OfSubscriber(
          in ? Point.IN : Point.OUT, (int) (cell >>> 1), direction, packets, bytes);
    }
    return new Reading.Other(id, cell);
  }

  private Index index(int subscriberIndex, Direction direction) {
    return Index.newBuilder().setIndex(cell(subscriberIndex, direction)).build();
  }

  private static CounterEntry.Builder counter(Point point) {
    return CounterEntry.newBuilder()
        .setCounterId(
            point == Point.IN
                ? SluicePipeline.COUNTER_SUBSCRIBER_IN
                : SluicePipeline.COUNTER_SUBSCRIBER_OUT);
  }

  private static Entity entity(CounterEntry.Builder entry) {
    return Entity.newBuilder().setCounterEntry(entry).build();
  }
}
