package net.sluice.emulator.server.p4runtime.cell;

import net.sluice.emulator.server.p4runtime.entity.Parts;
import net.sluice.emulator.server.p4runtime.entity.ReadAnswer;
import net.sluice.emulator.server.p4runtime.entity.UndoLog;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.v1model.runtime.CounterCells;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Index;

/** Cells of indirect counters (section 9.3.2). */
public final class CounterEntries extends CellEntries<CounterEntries.Counter> {

  /** An indirect counter. */
  public record Counter(int id, String name, CounterCells cells) implements Cells {
    @Override
    public int size() {
      return cells.size();
    }

    @Override
    public Entity cell(int i) {
      CounterEntry.Builder entry =
          CounterEntry.newBuilder().setCounterId(id).setIndex(Index.newBuilder().setIndex(i));
      entry.getDataBuilder().setPacketCount(cells.packets(i)).setByteCount(cells.bytes(i));
      return Entity.newBuilder().setCounterEntry(entry).build();
    }

    @Override
    public void addAll(ReadAnswer answer) throws RpcException {
      answer.addEncoded(
          size(), this::cell, (i, to) -> to.addCounter(id, i, cells.packets(i), cells.bytes(i)));
    }
  }

  public CounterEntries(Parts<Counter> counters) {
    super("counter", counters);
  }

  @Override
  public int p4Id(Entity entity) {
    return entity.getCounterEntry().getCounterId();
  }

  @Override
  Index index(Entity entity) {
    return entity.getCounterEntry().hasIndex() ? entity.getCounterEntry().getIndex() : null;
  }

  @Override
  void write(Counter counter, String name, int from, int to, Entity entity, UndoLog undo) {
    if (!entity.getCounterEntry().hasData()) {
      return;
    }
    CounterCells cells = counter.cells();
    CounterData data = entity.getCounterEntry().getData();
    for (int i = from; i < to; i++) {
      if (undo != null) {
        int cell = i;
        long packets = cells.packets(i);
        long bytes = cells.bytes(i);
        undo.add(() -> cells.set(cell, packets, bytes));
      }
      cells.set(i, data.getPacketCount(), data.getByteCount());
    }
  }
}
