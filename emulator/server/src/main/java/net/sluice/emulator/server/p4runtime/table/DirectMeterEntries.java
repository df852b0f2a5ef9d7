package net.sluice.emulator.server.p4runtime.table;

import java.util.Collection;
import net.sluice.emulator.server.p4runtime.cell.MeterConfigs;
import net.sluice.emulator.server.p4runtime.entity.Parts;
import net.sluice.emulator.server.p4runtime.entity.UndoLog;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import p4.v1.P4RuntimeOuterClass.DirectMeterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.MeterConfig;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Update;

/** Direct meters of table entries (section 9.4.1). */
public final class DirectMeterEntries extends DirectEntries {

  private final TableCodecs codecs;

  public DirectMeterEntries(
      Parts<BoundTable> tables, Collection<BoundTable> metered, TableCodecs codecs) {
    super(tables, metered, "meter");
    this.codecs = codecs;
  }

  @Override
  TableEntry tableEntry(Entity entity) {
    return entity.getDirectMeterEntry().getTableEntry();
  }

  @Override
  public void write(Update.Type type, Entity entity, UndoLog undo) throws RpcException {
    DirectMeterEntry entry = entity.getDirectMeterEntry();
    TableEntryCodec codec = codecs.of(entry.getTableEntry().getTableId());
    BoundTable table = codec.table();
    if (!table.hasDirectMeter()) {
      throw RpcException.invalid("table '" + table.name() + "' has no direct meter");
    }
    String what = "direct meter of table '" + table.name() + "'";
    if (type != Update.Type.MODIFY) {
      throw RpcException.invalid("a " + what + " can only be modified, not the target of " + type);
    }
    MeterConfigs.refuseColourCounters(entry.hasCounterData(), what);
    if (entry.getTableEntry().getIsDefaultAction()) {
      throw RpcException.invalid("the default entry of table '" + table.name() + "' has no meter");
    }
    if (entry.hasConfig()) {
      MeterConfigs.check(entry.getConfig(), table.table().meters, what);
    }
    codec.readMatch(entry.getTableEntry());
    int slot = codec.locate();
    MeterConfigs.save(table.table().meters, slot, undo);
    MeterConfigs.write(table.table().meters, slot, entry.hasConfig() ? entry.getConfig() : null);
  }

  @Override
  public Query read(Entity filter) throws RpcException {
    MeterConfigs.refuseColourCounters(
        filter.getDirectMeterEntry().hasCounterData(), "a direct_meter_entry");
    return super.read(filter);
  }

  @Override
  boolean isOf(BoundTable table) {
    return table.hasDirectMeter();
  }

  @Override
  boolean hasDefault() {
    return false;
  }

  @Override
  Entity entity(TableEntryCodec codec, int slot) {
    DirectMeterEntry.Builder entry =
        DirectMeterEntry.newBuilder().setTableEntry(codec.write(slot, false));
    MeterConfig config = MeterConfigs.read(codec.table().table().meters, slot);
    if (config != null) {
      entry.setConfig(config);
    }
    return Entity.newBuilder().setDirectMeterEntry(entry).build();
  }
}
