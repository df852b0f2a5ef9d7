package net.sluice.emulator.server.p4runtime;

import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Index;
import p4.v1.P4RuntimeOuterClass.MeterConfig;
import p4.v1.P4RuntimeOuterClass.MeterEntry;
import p4.v1.P4RuntimeOuterClass.Update;

/** Cells of indirect meters (section 9.4.2). */
final class MeterEntries implements EntityKind {

  private final Binding binding;

  MeterEntries(Binding binding) {
    this.binding = binding;
  }

  @Override
  public int p4Id(Entity entity) {
    return entity.getMeterEntry().getMeterId();
  }

  /** Configures a cell, or all cells of a meter. */
  @Override
  public void write(Update.Type type, Entity entity, UndoLog undo) throws RpcException {
    MeterEntry entry = entity.getMeterEntry();
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
      MeterConfigs.save(meter.cells(), i, undo);
      MeterConfigs.write(meter.cells(), i, config);
    }
  }

  /** Asks for a cell, all cells of a meter, or all cells. */
  @Override
  public Query read(Entity entity) throws RpcException {
    MeterEntry filter = entity.getMeterEntry();
    MeterConfigs.refuseColourCounters(filter.hasCounterData(), "a meter_entry");
    if (filter.getMeterId() == 0) {
      if (filter.hasIndex()) {
        throw RpcException.invalid(
            "meter_id is 0, which means every meter; no index can go with it");
      }
      return answer -> {
        for (Binding.MeterBinding meter : binding.meters().values()) {
          answer.addCells(0, meter.cells().size(), i -> cell(meter, i));
        }
      };
    }
    Binding.MeterBinding meter = binding.meter(filter.getMeterId());
    if (!filter.hasIndex()) {
      return answer -> answer.addCells(0, meter.cells().size(), i -> cell(meter, i));
    }
    int index = index(meter, filter.getIndex().getIndex());
    return answer -> answer.addCells(index, index + 1, i -> cell(meter, i));
  }

  private static Entity cell(Binding.MeterBinding meter, int i) {
    MeterEntry.Builder entry =
        MeterEntry.newBuilder().setMeterId(meter.id()).setIndex(Index.newBuilder().setIndex(i));
    MeterConfig config = MeterConfigs.read(meter.cells(), i);
    if (config != null) {
      entry.setConfig(config);
    }
    return Entity.newBuilder().setMeterEntry(entry).build();
  }

  private static int index(Binding.MeterBinding meter, long index) throws RpcException {
    return Indices.check(index, meter.cells().size(), "meter '" + meter.name() + "'");
  }
}
