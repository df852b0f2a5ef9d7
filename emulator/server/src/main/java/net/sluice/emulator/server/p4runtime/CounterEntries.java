package net.sluice.emulator.server.p4runtime;

import java.util.Arrays;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Update;

/** Cells of indirect counters. */
final class CounterEntries {

  private CounterEntries() {}

  /** Writes a cell, or all cells of a counter. */
  static void write(Binding binding, Update.Type type, CounterEntry entry, UndoLog undo)
      throws RpcException {
    Binding.CounterBinding counter = binding.counter(entry.getCounterId());
    if (type != Update.Type.MODIFY) {
      throw RpcException.invalid(
          "a cell of counter '"
              + counter.name()
              + "' can only be modified, not the target of "
              + type);
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

  /** Checks an index into a counter. */
  static int index(Binding.CounterBinding counter, long index) throws RpcException {
    return Indices.check(index, counter.size(), "counter '" + counter.name() + "'");
  }
}
