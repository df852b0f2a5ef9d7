package net.sluice.emulator.server.p4runtime.cell;

import java.util.Arrays;
import net.sluice.emulator.server.p4runtime.entity.Parts;
import net.sluice.emulator.server.p4runtime.entity.UndoLog;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Index;

/** Cells of indirect counters (section 9.3.2). */
public final class CounterEntries extends CellEntries<CounterEntries.Counter> {

  /**
   * An indirect counter.
   *
   * @param pairs packets and bytes of index {@code i} at {@code 2i} and {@code 2i+1}
   */
  public record Counter(int id, String name, long[] pairs) implements Cells {
    @Override
    public int size() {
      return pairs.length / 2;
    }

    @Override
    public Entity cell(int i) {
      CounterEntry.Builder entry =
          CounterEntry.newBuilder().setCounterId(id).setIndex(Index.newBuilder().setIndex(i));
      entry.getDataBuilder().setPacketCount(pairs[2 * i]).setByteCount(pairs[2 * i + 1]);
      return Entity.newBuilder().setCounterEntry(entry).build();
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
    long[] pairs = counter.pairs();
    if (undo != null) {
      long[] before = Arrays.copyOfRange(pairs, 2 * from, 2 * to);
      undo.add(() -> System.arraycopy(before, 0, pairs, 2 * from, before.length));
    }
    CounterData data = entity.getCounterEntry().getData();
    for (int i = from; i < to; i++) {
      pairs[2 * i] = data.getPacketCount();
      pairs[2 * i + 1] = data.getByteCount();
    }
  }
}
