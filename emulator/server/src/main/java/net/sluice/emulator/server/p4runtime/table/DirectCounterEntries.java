package net.sluice.emulator.server.p4runtime.table;

import java.util.Collection;
import net.sluice.emulator.server.p4runtime.entity.Parts;
import net.sluice.emulator.server.p4runtime.entity.UndoLog;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.v1model.table.MatchTable;
import p4.v1.P4RuntimeOuterClass.DirectCounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Update;

/** Direct counters of table entries (section 9.3.1). */
public final class DirectCounterEntries extends DirectEntries {

  private final TableCodecs codecs;

  public DirectCounterEntries(
      Parts<BoundTable> tables, Collection<BoundTable> counted, TableCodecs codecs) {
    super(tables, counted, "counter");
    this.codecs = codecs;
  }

  @Override
  TableEntry tableEntry(Entity entity) {
    return entity.getDirectCounterEntry().getTableEntry();
  }

  @Override
  public void write(Update.Type type, Entity entity, UndoLog undo) throws RpcException {
    DirectCounterEntry entry = entity.getDirectCounterEntry();
    TableEntryCodec codec = codecs.of(entry.getTableEntry().getTableId());
    BoundTable table = codec.table();
    if (!table.hasDirectCounter()) {
      throw RpcException.invalid("table '" + table.name() + "' has no direct counter");
    }
    if (type != Update.Type.MODIFY) {
      throw RpcException.invalid(
          "a direct counter of table '%s' can only be modified, not the target of %s",
          table.name(), type);
    }
    MatchTable entries = table.table();
    int slot = MatchTable.DEFAULT_SLOT;
    if (!entry.getTableEntry().getIsDefaultAction()) {
      codec.readMatch(entry.getTableEntry());
      slot = codec.locate();
    }
    if (entry.hasData()) {
      if (undo != null) {
        int cell = slot;
        long packets = entries.counters[2 * slot];
        long bytes = entries.counters[2 * slot + 1];
        undo.add(() -> entries.setCounter(cell, packets, bytes));
      }
      TableEntries.setCounter(entries, slot, entry.getData());
    }
  }

  @Override
  boolean isOf(BoundTable table) {
    return table.hasDirectCounter();
  }

  @Override
  boolean hasDefault() {
    return true;
  }

  @Override
  Entity entity(TableEntryCodec codec, int slot) {
    return Entity.newBuilder()
        .setDirectCounterEntry(
            DirectCounterEntry.newBuilder()
                .setTableEntry(codec.write(slot, false))
                .setData(codec.counter(slot)))
        .build();
  }
}
