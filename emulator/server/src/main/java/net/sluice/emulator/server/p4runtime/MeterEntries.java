package net.sluice.emulator.server.p4runtime;

import net.sluice.emulator.v1model.table.MeterCells;
import p4.v1.P4RuntimeOuterClass.MeterConfig;
import p4.v1.P4RuntimeOuterClass.MeterEntry;
import p4.v1.P4RuntimeOuterClass.Update;

/** Cells of indirect meters. */
final class MeterEntries {

  private MeterEntries() {}

  /** Configures a cell, or all cells of a meter. */
  static void write(Binding binding, Update.Type type, MeterEntry entry, UndoLog undo)
      throws RpcException {
    Binding.MeterBinding meter = binding.meter(entry.getMeterId());
    String what = "meter '" + meter.name() + "'";
    if (type != Update.Type.MODIFY) {
      throw RpcException.invalid(
          "a cell of " + what + " can only be modified, not the target of " + type);
    }
    MeterConfigs.refuseColourCounters(entry.hasCounterData(), what);
    MeterConfig config = entry.hasConfig() ? entry.getConfig() : null;
    if (config != null) {
      MeterConfigs.check(config, meter.cells(), what);
    }
    int from = 0;
    int to = meter.cells().size();
    if (entry.hasIndex()) {
      from = index(meter, entry.getIndex().getIndex());
      to = from + 1;
    }
    for (int i = from; i < to; i++) {
      save(meter.cells(), i, undo);
      MeterConfigs.write(meter.cells(), i, config);
    }
  }

  /** Notes how a cell is before it is configured. */
  static void save(MeterCells cells, int index, UndoLog undo) {
    if (undo != null) {
      long[] before = cells.save(index);
      undo.add(() -> cells.restore(index, before));
    }
  }

  /** Checks an index into a meter. */
  static int index(Binding.MeterBinding meter, long index) throws RpcException {
    return Indices.check(index, meter.cells().size(), "meter '" + meter.name() + "'");
  }
}
