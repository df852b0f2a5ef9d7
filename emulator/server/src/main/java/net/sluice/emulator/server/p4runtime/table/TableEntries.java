package net.sluice.emulator.server.p4runtime.table;

import com.google.rpc.Code;
import java.util.Arrays;
import java.util.Collection;
import java.util.function.Supplier;
import net.sluice.emulator.server.p4runtime.cell.MeterConfigs;
import net.sluice.emulator.server.p4runtime.entity.EntityKind;
import net.sluice.emulator.server.p4runtime.entity.Parts;
import net.sluice.emulator.server.p4runtime.entity.ReadAnswer;
import net.sluice.emulator.server.p4runtime.entity.UndoLog;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.switching.SwitchClock;
import net.sluice.emulator.v1model.table.IdleTimeouts;
import net.sluice.emulator.v1model.table.MatchKey;
import net.sluice.emulator.v1model.table.MatchTable;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.MeterConfig;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * Entries of tables, default entries among them (section 9.1). Holds scratch space: one thread at a
 * time.
 *
 * @param clock the time that packets live in
 */
public record TableEntries(
    Parts<BoundTable> tables, TableCodecs codecs, Supplier<SwitchClock> clock)
    implements EntityKind {

  private static final long NANOS_PER_MICRO = 1_000;

  @Override
  public int p4Id(Entity entity) {
    return entity.getTableEntry().getTableId();
  }

  // ---- write ----

  @Override
  public void write(Update.Type type, Entity entity, UndoLog undo) throws RpcException {
    TableEntry entry = entity.getTableEntry();
    TableEntryCodec codec = codecs.of(entry.getTableId());
    BoundTable table = codec.table();
    if (entry.getIsConst()) {
      throw RpcException.invalid(
          "is_const is set in an entry of table '%s'; only the program declares constant entries",
          table.name());
    }
    if (type != Update.Type.DELETE) {
      refuseColourCounters(entry, "an entry of table '" + table.name() + "'");
      checkResources(table, entry);
    }
    if (entry.getIsDefaultAction()) {
      modifyDefault(type, table, codec, entry, undo);
      return;
    }
    if (type == Update.Type.INSERT && table.layout().fields().isEmpty()) {
      throw RpcException.invalid("table '" + table.name() + "' has no key and takes no entries");
    }
    codec.readMatch(entry);
    switch (type) {
      case INSERT:
        insert(table, codec, entry, undo);
        return;
      case MODIFY:
        modify(table, codec, entry, undo);
        return;
      default:
        delete(table, codec, undo);
    }
  }

  /** Refuses counters by colour (section 9.4.3). */
  private static void refuseColourCounters(TableEntry entry, String what) throws RpcException {
    if (entry.hasMeterCounterData()) {
      throw new RpcException(
          Code.UNIMPLEMENTED,
          "meter_counter_data is set in " + what + "; meters do not count by colour");
    }
  }

  private static void checkResources(BoundTable table, TableEntry entry) throws RpcException {
    if (entry.hasCounterData() && !table.hasDirectCounter()) {
      throw RpcException.invalid(
          "table '" + table.name() + "' has no direct counter; counter_data is set");
    }
    if (entry.hasMeterConfig() && table.hasDirectMeter()) {
      MeterConfigs.check(
          entry.getMeterConfig(),
          table.table().meters,
          "meter_config of table '" + table.name() + "'");
      if (entry.getIsDefaultAction()) {
        throw RpcException.invalid(
            "the default entry of table '" + table.name() + "' has no meter; meter_config is set");
      }
    } else if (entry.hasMeterConfig()) {
      throw RpcException.invalid(
          "table '" + table.name() + "' has no direct meter; meter_config is set");
    }
    if (entry.getIdleTimeoutNs() != 0) {
      checkTimeout(table, entry);
    }
    if (entry.hasTimeSinceLastHit()) {
      // As in checkTimeout.
      throw RpcException.invalid("has_time_since_last_hit must not be set in WriteRequest");
    }
  }

  private static void checkTimeout(BoundTable table, TableEntry entry) throws RpcException {
    String given = "idle_timeout_ns is " + entry.getIdleTimeoutNs();
    if (!table.hasTimeouts() && entry.getIdleTimeoutNs() > 0) {
      // The words of bmv2's P4Runtime server, which test suites compare.
      throw RpcException.invalid(
          "idle_timeout_ns must be set to 0 for tables which do not support idle timeout");
    }
    if (entry.getIsDefaultAction()) {
      throw RpcException.invalid(
          "the default entry of table '" + table.name() + "' has no idle timeout; " + given);
    }
    if (entry.getIdleTimeoutNs() < 0) {
      throw RpcException.invalid(
          "table '" + table.name() + "': " + given + "; it must not be negative");
    }
  }

  private static void modifyDefault(
      Update.Type type, BoundTable table, TableEntryCodec codec, TableEntry entry, UndoLog undo)
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
      save(entries, MatchTable.DEFAULT_SLOT, true, undo);
      entries.resetDefault();
      entries.setControllerMetadata(MatchTable.DEFAULT_SLOT, 0);
      entries.setMetadata(MatchTable.DEFAULT_SLOT, null);
      if (table.hasDirectCounter()) {
        entries.setCounter(MatchTable.DEFAULT_SLOT, 0, 0);
      }
      return;
    }
    BoundTable.ActionBinding action = codec.readAction(entry, true);
    save(entries, MatchTable.DEFAULT_SLOT, entry.hasCounterData(), undo);
    entries.modify(MatchTable.DEFAULT_SLOT, action.index(), codec.data());
    keep(entries, MatchTable.DEFAULT_SLOT, entry);
  }

  /** Notes what is in a slot before it is overwritten. */
  private static void save(MatchTable entries, int slot, boolean counter, UndoLog undo) {
    if (undo == null) {
      return;
    }
    SavedEntry before = SavedEntry.of(entries, slot);
    undo.add(
        () -> {
          before.restore(slot);
          if (counter) {
            before.restoreCounter(slot);
          }
        });
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

  static void setCounter(MatchTable entries, int slot, CounterData data) {
    entries.setCounter(slot, data.getPacketCount(), data.getByteCount());
  }

  private void insert(BoundTable table, TableEntryCodec codec, TableEntry entry, UndoLog undo)
      throws RpcException {
    if (table.entriesConst()) {
      throw new RpcException(Code.PERMISSION_DENIED, "table '" + table.name() + "' is constant");
    }
    if (!entry.hasAction()) {
      throw RpcException.invalid(
          "the action is missing; an entry of table '" + table.name() + "' needs one");
    }
    BoundTable.ActionBinding action = codec.readAction(entry, false);
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
    if (table.profile() != null) {
      table.profile().acquire(table.name(), entry.getAction(), codec.data(), null, undo);
    }
    int slot = entries.insert(codec.key(), action.index(), codec.data(), false);
    if (slot == 0) {
      if (table.profile() != null) {
        table.profile().release(action.index(), codec.data()[0], undo);
      }
      throw new RpcException(
          Code.RESOURCE_EXHAUSTED, "table '" + table.name() + "' has too many different masks");
    }
    keep(entries, slot, entry);
    if (entry.hasMeterConfig()) {
      MeterConfigs.write(entries.meters, slot, entry.getMeterConfig());
    }
    if (entries.timeouts != null) {
      SwitchClock now = clock.get();
      long next = entries.timeouts.nextMicros();
      entries.timeouts.set(slot, entry.getIdleTimeoutNs(), now.nowMicros());
      wakeIfEarlier(entries.timeouts, next, now);
    }
    if (undo != null) {
      undo.add(() -> entries.remove(slot));
    }
  }

  private static void wakeIfEarlier(IdleTimeouts timeouts, long before, SwitchClock clock) {
    if (timeouts.nextMicros() < before) {
      clock.timersChanged();
    }
  }

  private void modify(BoundTable table, TableEntryCodec codec, TableEntry entry, UndoLog undo)
      throws RpcException {
    int slot = codec.locate();
    MatchTable entries = table.table();
    boolean isConst = entries.isConst(slot);
    if (isConst
        && (entry.hasAction()
            || entry.getControllerMetadata() != 0
            || entry.getIdleTimeoutNs() != 0
            || !entry.getMetadata().isEmpty())) {
      throw new RpcException(
          Code.PERMISSION_DENIED,
          "the entry of table '%s' is constant; only its counter and meter can be modified"
              .formatted(table.name()));
    }
    BoundTable.ActionBinding action = entry.hasAction() ? codec.readAction(entry, false) : null;
    if (action != null) {
      replace(table, slot, action, codec, entry, undo);
    } else {
      save(entries, slot, entry.hasCounterData(), undo);
    }
    if (table.hasDirectMeter()) {
      MeterConfigs.write(
          entries.meters, slot, entry.hasMeterConfig() ? entry.getMeterConfig() : null);
    }
    if (entries.timeouts != null) {
      long next = entries.timeouts.nextMicros();
      entries.timeouts.modify(slot, entry.getIdleTimeoutNs());
      wakeIfEarlier(entries.timeouts, next, clock.get());
    }
    keep(entries, slot, entry);
  }

  /** A new action takes the old one's place before that is given up. */
  private static void replace(
      BoundTable table,
      int slot,
      BoundTable.ActionBinding action,
      TableEntryCodec codec,
      TableEntry entry,
      UndoLog undo)
      throws RpcException {
    MatchTable entries = table.table();
    int oldAction = entries.action(slot);
    long[] oldData = entries.dataWords() == 0 ? new long[1] : new long[] {entries.data(slot, 0)};
    if (table.profile() != null) {
      table.profile().acquire(table.name(), entry.getAction(), codec.data(), oldData, undo);
    }
    save(entries, slot, entry.hasCounterData(), undo);
    entries.modify(slot, action.index(), codec.data());
    if (table.profile() != null) {
      table.profile().release(oldAction, oldData[0], undo);
    }
  }

  private static void delete(BoundTable table, TableEntryCodec codec, UndoLog undo)
      throws RpcException {
    if (table.entriesConst()) {
      throw new RpcException(Code.PERMISSION_DENIED, "table '" + table.name() + "' is constant");
    }
    int slot = codec.locate();
    MatchTable entries = table.table();
    if (entries.isConst(slot)) {
      throw new RpcException(
          Code.PERMISSION_DENIED, "the entry of table '" + table.name() + "' is constant");
    }
    if (undo != null) {
      MatchKey key = codec.copyKey();
      SavedEntry before = SavedEntry.of(entries, slot);
      undo.add(
          () -> {
            // Changes are taken back in reverse, so this finds the slot free that it had.
            int back = entries.insert(key, before.action(), before.data(), false);
            before.restore(back);
            before.restoreCounter(back);
          });
    }
    int action = entries.action(slot);
    long reference = table.profile() == null ? 0 : entries.data(slot, 0);
    entries.remove(slot);
    if (table.profile() != null) {
      table.profile().release(action, reference, undo);
    }
  }

  // ---- read ----

  @Override
  public Query read(Entity entity) throws RpcException {
    TableEntry filter = entity.getTableEntry();
    refuseColourCounters(filter, "a table_entry");
    if (filter.getTableId() == 0) {
      if (filter.getMatchCount() > 0 || filter.hasAction() || filter.getPriority() != 0) {
        throw RpcException.invalid(
            "table_id is 0, which means every table; no match, action or priority can go with it");
      }
      Collection<BoundTable> all = tables.all();
      return answer -> {
        for (BoundTable table : all) {
          all(table, filter, answer);
        }
      };
    }
    BoundTable table = tables.get(filter.getTableId());
    checkTimes(table, filter);
    if (filter.hasAction() && table.profile() != null) {
      throw RpcException.invalid(
          "entries of table '%s' refer to an action profile; they cannot be filtered by action",
          table.name());
    }
    if (filter.getMatchCount() > 0) {
      TableEntryCodec codec = new TableEntryCodec(table);
      codec.readMatch(filter);
      int slot = table.table().locate(codec.key());
      return answer -> {
        if (slot != 0) {
          one(codec, slot, filter, answer);
        }
      };
    }
    return answer -> all(table, filter, answer);
  }

  private static void checkTimes(BoundTable table, TableEntry filter) throws RpcException {
    if (filter.hasTimeSinceLastHit() && !table.hasTimeouts()) {
      throw RpcException.invalid(
          "table '" + table.name() + "' has no idle timeout; time_since_last_hit is set");
    }
    if (filter.hasTimeSinceLastHit() && filter.getIsDefaultAction()) {
      throw RpcException.invalid(
          "the default entry of table '%s' has no idle timeout; time_since_last_hit is set",
          table.name());
    }
  }

  private void all(BoundTable table, TableEntry filter, ReadAnswer answer) throws RpcException {
    TableEntryCodec codec = new TableEntryCodec(table);
    if (filter.getIsDefaultAction()) {
      one(codec, MatchTable.DEFAULT_SLOT, filter, answer);
      return;
    }
    answer.visit(table.table(), slot -> addIfAsked(codec, slot, filter, answer));
  }

  private void one(TableEntryCodec codec, int slot, TableEntry filter, ReadAnswer answer)
      throws RpcException {
    answer.locked(() -> addIfAsked(codec, slot, filter, answer));
  }

  private void addIfAsked(TableEntryCodec codec, int slot, TableEntry filter, ReadAnswer answer) {
    if (passes(codec.table(), slot, filter)) {
      answer.add(Entity.newBuilder().setTableEntry(written(codec, slot, filter)).build());
    }
  }

  private static boolean passes(BoundTable table, int slot, TableEntry filter) {
    MatchTable entries = table.table();
    if (filter.getPriority() != 0 && entries.priority(slot) != filter.getPriority()) {
      return false;
    }
    if (filter.getControllerMetadata() != 0
        && entries.controllerMetadata(slot) != filter.getControllerMetadata()) {
      return false;
    }
    if (!filter.getMetadata().isEmpty()
        && !Arrays.equals(filter.getMetadata().toByteArray(), entries.metadata(slot))) {
      return false;
    }
    if (filter.hasAction()) {
      BoundTable.ActionBinding action = table.actionAt(entries.action(slot));
      return action != null && action.id() == filter.getAction().getAction().getActionId();
    }
    return true;
  }

  private TableEntry written(TableEntryCodec codec, int slot, TableEntry filter) {
    BoundTable table = codec.table();
    TableEntry entry = codec.write(slot, filter.hasCounterData());
    if (filter.hasTimeSinceLastHit() && table.hasTimeouts() && slot != MatchTable.DEFAULT_SLOT) {
      long idle = clock.get().nowMicros() - table.table().timeouts.lastHitMicros[slot];
      entry =
          entry.toBuilder()
              .setTimeSinceLastHit(
                  TableEntry.IdleTimeout.newBuilder()
                      .setElapsedNs(Math.max(0, idle) * NANOS_PER_MICRO))
              .build();
    }
    MeterConfig config =
        filter.hasMeterConfig() && table.hasDirectMeter() && slot != MatchTable.DEFAULT_SLOT
            ? MeterConfigs.read(table.table().meters, slot)
            : null;
    return config == null ? entry : entry.toBuilder().setMeterConfig(config).build();
  }
}
