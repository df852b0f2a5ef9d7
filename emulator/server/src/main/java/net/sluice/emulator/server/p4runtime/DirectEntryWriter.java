package net.sluice.emulator.server.p4runtime;

import net.sluice.emulator.v1model.table.MatchTable;
import p4.v1.P4RuntimeOuterClass.DirectCounterEntry;
import p4.v1.P4RuntimeOuterClass.DirectMeterEntry;
import p4.v1.P4RuntimeOuterClass.Update;

/** Writes direct counters and direct meters of table entries. One thread at a time. */
final class DirectEntryWriter {

  private final TableCodecs codecs;

  DirectEntryWriter(TableCodecs codecs) {
    this.codecs = codecs;
  }

  void applyCounter(Update.Type type, DirectCounterEntry entry, UndoLog undo) throws RpcException {
    TableEntryCodec codec = codecs.of(entry.getTableEntry().getTableId());
    TableBinding table = codec.table();
    if (!table.hasDirectCounter()) {
      throw RpcException.invalid("table '" + table.name() + "' has no direct counter");
    }
    if (type != Update.Type.MODIFY) {
      throw RpcException.invalid(
          "a direct counter of table '"
              + table.name()
              + "' can only be modified, not the target of "
              + type);
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
      TableEntryWriter.setCounter(entries, slot, entry.getData());
    }
  }

  void applyMeter(Update.Type type, DirectMeterEntry entry, UndoLog undo) throws RpcException {
    TableEntryCodec codec = codecs.of(entry.getTableEntry().getTableId());
    TableBinding table = codec.table();
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
    MeterEntries.save(table.table().meters, slot, undo);
    MeterConfigs.write(table.table().meters, slot, entry.hasConfig() ? entry.getConfig() : null);
  }
}
