package net.sluice.emulator.server.p4runtime;

import java.util.Arrays;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Index;
import p4.v1.P4RuntimeOuterClass.Update;

/** Cells of indirect counters (section 9.3.2). */
final class CounterEntries implements EntityKind {

  private final Binding binding;

  CounterEntries(Binding binding) {
    this.binding = binding;
  }

  @Override
  public int p4Id(Entity entity) {
    return entity.getCounterEntry().getCounterId();
  }

  /** Writes a cell, or all cells of a counter. */
  @Override
  public void write(Update.Type type, Entity entity, UndoLog undo) throws RpcException {
    CounterEntry entry = entity.getCounterEntry();
    Binding.CounterBinding counter = binding.counter(entry.getCounterId());
    if (type != Update.Type.MODIFY) {
      throw RpcException.invalid(
          "a cell of counter '%s' can only be modified, not the target of %s",
          counter.name(), type);
    }
    int from = 0;
    int to = counter.size();
    if (entry.hasIndex()) {
      from = index(counter, entry.getIndex().getIndex());
      to = from + 1;
    }
    if (!entry.hasData()) {
      return;
    }
    long[] cells = counter.cells();
    if (undo != null) {
      int start = from;
      long[] before = Arrays.copyOfRange(cells, 2 * from, 2 * to);
      undo.add(() -> System.arraycopy(before, 0, cells, 2 * start, before.length));
    }
    CounterData data = entry.getData();
    for (int i = from; i < to; i++) {
      cells[2 * i] = data.getPacketCount();
      cells[2 * i + 1] = data.getByteCount();
    }
  }

  /** Asks for a cell, all cells of a counter, or all cells. */
  @Override
  public Query read(Entity entity) throws RpcException {
    CounterEntry filter = entity.getCounterEntry();
    if (filter.getCounterId() == 0) {
      if (filter.hasIndex()) {
        throw RpcException.invalid(
            "counter_id is 0, which means every counter; no index can go with it");
      }
      return answer -> {
        for (Binding.CounterBinding counter : binding.counters().values()) {
          answer.addCells(0, counter.size(), i -> cell(counter, i));
        }
      };
    }
    Binding.CounterBinding counter = binding.counter(filter.getCounterId());
    if (!filter.hasIndex()) {
      return answer -> answer.addCells(0, counter.size(), i -> cell(counter, i));
    }
    int index = index(counter, filter.getIndex().getIndex());
    return answer -> answer.addCells(index, index + 1, i -> cell(counter, i));
  }

  private static Entity cell(Binding.CounterBinding counter, int i) {
    CounterData data =
        CounterData.newBuilder()
            .setPacketCount(counter.cells()[2 * i])
            .setByteCount(counter.cells()[2 * i + 1])
            .build();
    return Entity.newBuilder()
        .setCounterEntry(
            CounterEntry.newBuilder()
                .setCounterId(counter.id())
                .setIndex(Index.newBuilder().setIndex(i))
                .setData(data))
        .build();
  }

  private static int index(Binding.CounterBinding counter, long index) throws RpcException {
    return Indices.check(index, counter.size(), "counter '" + counter.name() + "'");
  }
}
