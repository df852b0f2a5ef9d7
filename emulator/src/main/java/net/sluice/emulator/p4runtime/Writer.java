package net.sluice.emulator.p4runtime;

import com.google.rpc.Code;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import net.sluice.emulator.bmv2.table.MatchTable;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.DirectCounterEntry;
import p4.v1.P4RuntimeOuterClass.DirectMeterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.MeterConfig;
import p4.v1.P4RuntimeOuterClass.MeterEntry;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * Applies updates to a binding's program, each checked completely before anything changes. One
 * thread at a time; the switch's lock is taken for slices of a batch, so that packets are never
 * held up for long.
 */
final class Writer {

  /** Updates per hold of the switch's lock. */
  private static final int SLICE = 128;

  private final Binding binding;
  private final ReentrantLock packets;
  private final Map<Integer, EntryCodec> codecs = new HashMap<>();
  private TableBinding lastTable;
  private EntryCodec lastCodec;

  Writer(Binding binding, ReentrantLock packets) {
    this.binding = binding;
    this.packets = packets;
  }

  /**
   * Applies a batch, every update whatever became of the others. Answers the errors by update, or
   * null if there are none.
   */
  RpcException[] apply(List<Update> updates) {
    RpcException[] errors = null;
    for (int from = 0; from < updates.size(); from += SLICE) {
      packets.lock();
      try {
        for (int i = from; i < Math.min(updates.size(), from + SLICE); i++) {
          try {
            apply(updates.get(i));
          } catch (RpcException e) {
            errors = errors == null ? new RpcException[updates.size()] : errors;
            errors[i] = e;
          }
        }
      } finally {
        packets.unlock();
      }
    }
    return errors;
  }

  private void apply(Update update) throws RpcException {
    Entity entity = update.getEntity();
    Update.Type type = update.getType();
    if (type != Update.Type.INSERT && type != Update.Type.MODIFY && type != Update.Type.DELETE) {
      throw RpcException.invalid(
          "update type is " + type + "; it must be INSERT, MODIFY or DELETE");
    }
    switch (entity.getEntityCase()) {
      case TABLE_ENTRY:
        apply(type, entity.getTableEntry());
        return;
      case COUNTER_ENTRY:
        applyCounter(type, entity.getCounterEntry());
        return;
      case DIRECT_COUNTER_ENTRY:
        applyDirectCounter(type, entity.getDirectCounterEntry());
        return;
      case METER_ENTRY:
        applyMeter(type, entity.getMeterEntry());
        return;
      case DIRECT_METER_ENTRY:
        applyDirectMeter(type, entity.getDirectMeterEntry());
        return;
      case VALUE_SET_ENTRY:
        ValueSetBinding set = binding.valueSet(entity.getValueSetEntry().getValueSetId());
        if (type != Update.Type.MODIFY) {
          throw RpcException.invalid(
              "value set '" + set.name() + "' can only be modified, not the target of " + type);
        }
        set.write(entity.getValueSetEntry());
        return;
      case ENTITY_NOT_SET:
        throw RpcException.invalid("the update has no entity");
      default:
        throw new RpcException(
            Code.UNIMPLEMENTED, "writing a " + entity.getEntityCase() + " is not supported");
    }
  }

  private EntryCodec codec(int tableId) throws RpcException {
    if (lastTable == null || lastTable.id() != tableId) {
      lastTable = binding.table(tableId);
      lastCodec = codecs.computeIfAbsent(tableId, id -> new EntryCodec(lastTable));
    }
    return lastCodec;
  }

  private void apply(Update.Type type, TableEntry entry) throws RpcException {
    EntryCodec codec = codec(entry.getTableId());
    TableBinding table = lastTable;
    if (type != Update.Type.DELETE) {
      checkResources(table, entry);
    }
    if (entry.getIsDefaultAction()) {
      modifyDefault(type, table, codec, entry);
      return;
    }
    if (type == Update.Type.INSERT && table.layout().fields().isEmpty()) {
      throw RpcException.invalid("table '" + table.name() + "' has no key and takes no entries");
    }
    codec.readMatch(entry);
    switch (type) {
      case INSERT:
        insert(table, codec, entry);
        return;
      case MODIFY:
        modify(table, codec, entry);
        return;
      default:
        delete(table, codec);
    }
  }

  private static void checkResources(TableBinding table, TableEntry entry) throws RpcException {
    if (entry.hasCounterData() && !table.hasDirectCounter()) {
      throw RpcException.invalid(
          "table '" + table.name() + "' has no direct counter; counter_data is set");
    }
    if (entry.hasMeterConfig() && table.hasDirectMeter()) {
      MeterConfigs.check(entry.getMeterConfig(), "meter_config of table '" + table.name() + "'");
      if (entry.getIsDefaultAction()) {
        throw RpcException.invalid(
            "the default entry of table '" + table.name() + "' has no meter; meter_config is set");
      }
    } else if (entry.hasMeterConfig()) {
      throw RpcException.invalid(
          "table '" + table.name() + "' has no direct meter; meter_config is set");
    }
    if (entry.getIdleTimeoutNs() != 0) {
      throw RpcException.invalid(
          "table '"
              + table.name()
              + "' has no idle timeout; idle_timeout_ns is "
              + entry.getIdleTimeoutNs());
    }
  }

  private static void modifyDefault(
      Update.Type type, TableBinding table, EntryCodec codec, TableEntry entry)
      throws RpcException {
    String what = "default entry of table '" + table.name() + "'";
    if (type != Update.Type.MODIFY) {
      throw RpcException.invalid(what + " can only be modified, not the target of " + type);
    }
    if (entry.getMatchCount() != 0 || entry.getPriority() != 0) {
      throw RpcException.invalid(what + " has neither match nor priority");
    }
    if (table.defaultConst()) {
      throw new RpcException(Code.PERMISSION_DENIED, what + " is constant");
    }
    MatchTable entries = table.table();
    if (!entry.hasAction()) {
      entries.resetDefault();
      entries.setControllerMetadata(MatchTable.DEFAULT_SLOT, 0);
      entries.setMetadata(MatchTable.DEFAULT_SLOT, null);
      if (table.hasDirectCounter()) {
        entries.setCounter(MatchTable.DEFAULT_SLOT, 0, 0);
      }
      return;
    }
    TableBinding.ActionBinding action = codec.readAction(entry, true);
    entries.modify(MatchTable.DEFAULT_SLOT, action.index(), codec.data());
    keep(entries, MatchTable.DEFAULT_SLOT, entry);
  }

  /** Notes what the controller wants to find with the entry. */
  private static void keep(MatchTable entries, int slot, TableEntry entry) {
    entries.setControllerMetadata(slot, entry.getControllerMetadata());
    entries.setMetadata(
        slot, entry.getMetadata().isEmpty() ? null : entry.getMetadata().toByteArray());
    if (entry.hasCounterData()) {
      setCounter(entries, slot, entry.getCounterData());
    }
  }

  private static void setCounter(MatchTable entries, int slot, CounterData data) {
    entries.setCounter(slot, data.getPacketCount(), data.getByteCount());
  }

  private static void insert(TableBinding table, EntryCodec codec, TableEntry entry)
      throws RpcException {
    if (table.entriesConst()) {
      throw new RpcException(Code.PERMISSION_DENIED, "table '" + table.name() + "' is constant");
    }
    if (!entry.hasAction()) {
      throw RpcException.invalid(
          "the action is missing; an entry of table '" + table.name() + "' needs one");
    }
    TableBinding.ActionBinding action = codec.readAction(entry, false);
    MatchTable entries = table.table();
    if (entries.locate(codec.key()) != 0) {
      throw new RpcException(
          Code.ALREADY_EXISTS, "table '" + table.name() + "' already has this entry");
    }
    if (table.isFull()) {
      throw new RpcException(
          Code.RESOURCE_EXHAUSTED,
          "table '" + table.name() + "' is full: it takes " + table.size() + " entries");
    }
    int slot = entries.insert(codec.key(), action.index(), codec.data(), false);
    if (slot == 0) {
      throw new RpcException(
          Code.RESOURCE_EXHAUSTED, "table '" + table.name() + "' has too many different masks");
    }
    keep(entries, slot, entry);
    if (entry.hasMeterConfig()) {
      MeterConfigs.write(entries.meters, slot, entry.getMeterConfig());
    }
  }

  private static int locate(TableBinding table, EntryCodec codec) throws RpcException {
    int slot = table.table().locate(codec.key());
    if (slot == 0) {
      throw new RpcException(Code.NOT_FOUND, "table '" + table.name() + "' has no such entry");
    }
    return slot;
  }

  private static void modify(TableBinding table, EntryCodec codec, TableEntry entry)
      throws RpcException {
    int slot = locate(table, codec);
    MatchTable entries = table.table();
    if (entries.isConst(slot)) {
      if (entry.hasAction()) {
        throw new RpcException(
            Code.PERMISSION_DENIED, "the entry of table '" + table.name() + "' is constant");
      }
      if (entry.hasCounterData()) {
        setCounter(entries, slot, entry.getCounterData());
      }
      return;
    }
    if (entry.hasAction()) {
      TableBinding.ActionBinding action = codec.readAction(entry, false);
      entries.modify(slot, action.index(), codec.data());
    }
    if (table.hasDirectMeter()) {
      MeterConfigs.write(
          entries.meters, slot, entry.hasMeterConfig() ? entry.getMeterConfig() : null);
    }
    keep(entries, slot, entry);
  }

  private static void delete(TableBinding table, EntryCodec codec) throws RpcException {
    if (table.entriesConst()) {
      throw new RpcException(Code.PERMISSION_DENIED, "table '" + table.name() + "' is constant");
    }
    int slot = locate(table, codec);
    if (table.table().isConst(slot)) {
      throw new RpcException(
          Code.PERMISSION_DENIED, "the entry of table '" + table.name() + "' is constant");
    }
    table.table().remove(slot);
  }

  private void applyCounter(Update.Type type, CounterEntry entry) throws RpcException {
    Binding.CounterBinding counter = binding.counter(entry.getCounterId());
    if (type != Update.Type.MODIFY) {
      throw RpcException.invalid(
          "a cell of counter '"
              + counter.name()
              + "' can only be modified, not the target of "
              + type);
    }
    long packets = entry.getData().getPacketCount();
    long bytes = entry.getData().getByteCount();
    if (entry.hasIndex()) {
      int index = index(counter, entry.getIndex().getIndex());
      if (entry.hasData()) {
        counter.cells()[2 * index] = packets;
        counter.cells()[2 * index + 1] = bytes;
      }
    } else if (entry.hasData()) {
      if (packets == 0 && bytes == 0) {
        Arrays.fill(counter.cells(), 0);
      } else {
        for (int i = 0; i < counter.size(); i++) {
          counter.cells()[2 * i] = packets;
          counter.cells()[2 * i + 1] = bytes;
        }
      }
    }
  }

  /** Checks an index into a counter. */
  static int index(Binding.CounterBinding counter, long index) throws RpcException {
    if (index < 0) {
      throw RpcException.invalid(
          "index " + index + " of counter '" + counter.name() + "' is negative");
    }
    if (index >= counter.size()) {
      throw new RpcException(
          Code.OUT_OF_RANGE,
          "index "
              + index
              + " of counter '"
              + counter.name()
              + "' must be below "
              + counter.size());
    }
    return (int) index;
  }

  private void applyDirectCounter(Update.Type type, DirectCounterEntry entry) throws RpcException {
    EntryCodec codec = codec(entry.getTableEntry().getTableId());
    TableBinding table = lastTable;
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
    int slot = MatchTable.DEFAULT_SLOT;
    if (!entry.getTableEntry().getIsDefaultAction()) {
      codec.readMatch(entry.getTableEntry());
      slot = locate(table, codec);
    }
    if (entry.hasData()) {
      setCounter(table.table(), slot, entry.getData());
    }
  }

  private void applyMeter(Update.Type type, MeterEntry entry) throws RpcException {
    Binding.MeterBinding meter = binding.meter(entry.getMeterId());
    String what = "meter '" + meter.name() + "'";
    if (type != Update.Type.MODIFY) {
      throw RpcException.invalid(
          "a cell of " + what + " can only be modified, not the target of " + type);
    }
    MeterConfig config = entry.hasConfig() ? entry.getConfig() : null;
    if (config != null) {
      MeterConfigs.check(config, what);
    }
    if (entry.hasIndex()) {
      MeterConfigs.write(meter.cells(), index(meter, entry.getIndex().getIndex()), config);
    } else {
      for (int i = 0; i < meter.cells().size(); i++) {
        MeterConfigs.write(meter.cells(), i, config);
      }
    }
  }

  /** Checks an index into a meter. */
  static int index(Binding.MeterBinding meter, long index) throws RpcException {
    if (index < 0 || index >= meter.cells().size()) {
      throw new RpcException(
          index < 0 ? Code.INVALID_ARGUMENT : Code.OUT_OF_RANGE,
          "index "
              + index
              + " of meter '"
              + meter.name()
              + "' must be from 0 to "
              + (meter.cells().size() - 1));
    }
    return (int) index;
  }

  private void applyDirectMeter(Update.Type type, DirectMeterEntry entry) throws RpcException {
    EntryCodec codec = codec(entry.getTableEntry().getTableId());
    TableBinding table = lastTable;
    if (!table.hasDirectMeter()) {
      throw RpcException.invalid("table '" + table.name() + "' has no direct meter");
    }
    String what = "direct meter of table '" + table.name() + "'";
    if (type != Update.Type.MODIFY) {
      throw RpcException.invalid("a " + what + " can only be modified, not the target of " + type);
    }
    if (entry.getTableEntry().getIsDefaultAction()) {
      throw RpcException.invalid("the default entry of table '" + table.name() + "' has no meter");
    }
    if (entry.hasConfig()) {
      MeterConfigs.check(entry.getConfig(), what);
    }
    codec.readMatch(entry.getTableEntry());
    MeterConfigs.write(
        table.table().meters, locate(table, codec), entry.hasConfig() ? entry.getConfig() : null);
  }
}
