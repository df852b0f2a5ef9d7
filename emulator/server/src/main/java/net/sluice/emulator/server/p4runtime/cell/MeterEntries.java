package net.sluice.emulator.server.p4runtime.cell;

import net.sluice.emulator.server.p4runtime.entity.Parts;
import net.sluice.emulator.server.p4runtime.entity.UndoLog;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.v1model.table.MeterCells;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Index;
import p4.v1.P4RuntimeOuterClass.MeterConfig;
import p4.v1.P4RuntimeOuterClass.MeterEntry;

/** Cells of indirect meters (section 9.4.2). */
public final class MeterEntries extends CellEntries<MeterEntries.Meter> {

  /** An indirect meter. */
  public record Meter(int id, MeterCells cells) implements Cells {
    @Override
    public String name() {
      return cells.name();
    }

    @Override
    public int size() {
      return cells.size();
    }

    @Override
    public Entity cell(int i) {
      MeterEntry.Builder entry =
          MeterEntry.newBuilder().setMeterId(id).setIndex(Index.newBuilder().setIndex(i));
      MeterConfig config = MeterConfigs.read(cells, i);
      if (config != null) {
        entry.setConfig(config);
      }
      return Entity.newBuilder().setMeterEntry(entry).build();
    }
  }

  public MeterEntries(Parts<Meter> meters) {
    super("meter", meters);
  }

  @Override
  public int p4Id(Entity entity) {
    return entity.getMeterEntry().getMeterId();
  }

  @Override
  Index index(Entity entity) {
    return entity.getMeterEntry().hasIndex() ? entity.getMeterEntry().getIndex() : null;
  }

  /** Configures cells. */
  @Override
  void write(Meter meter, String name, int from, int to, Entity entity, UndoLog undo)
      throws RpcException {
    MeterEntry entry = entity.getMeterEntry();
    MeterConfigs.refuseColourCounters(entry.hasCounterData(), name);
    MeterConfig config = entry.hasConfig() ? entry.getConfig() : null;
    if (config != null) {
      MeterConfigs.check(config, meter.cells(), name);
    }
    for (int i = from; i < to; i++) {
      MeterConfigs.save(meter.cells(), i, undo);
      MeterConfigs.write(meter.cells(), i, config);
    }
  }

  @Override
  void checkRead(Entity filter) throws RpcException {
    MeterConfigs.refuseColourCounters(filter.getMeterEntry().hasCounterData(), "a meter_entry");
  }
}
