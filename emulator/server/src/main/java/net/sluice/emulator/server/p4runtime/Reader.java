package net.sluice.emulator.server.p4runtime;

import com.google.rpc.Code;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import net.sluice.emulator.switching.SwitchClock;
import net.sluice.emulator.v1model.table.MatchTable;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.DirectCounterEntry;
import p4.v1.P4RuntimeOuterClass.DirectMeterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Index;
import p4.v1.P4RuntimeOuterClass.MeterConfig;
import p4.v1.P4RuntimeOuterClass.MeterEntry;
import p4.v1.P4RuntimeOuterClass.ReadResponse;
import p4.v1.P4RuntimeOuterClass.RegisterEntry;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/**
 * Answers one read request in chunks, which a {@link Sink} takes as fast as the client does. The
 * caller makes sure that nothing is written meanwhile; the switch's lock is taken only while a
 * chunk is put together.
 */
final class Reader {

  private static final long NANOS_PER_MICRO = 1_000;

  /** Entities per response message. */
  private static final int CHUNK = 512;

  /** Where chunks go. */
  interface Sink {
    /**
     * Sends a message, waiting for the client to be ready for it.
     *
     * @throws RpcException if the client is gone or does not read
     */
    void send(ReadResponse response) throws RpcException;
  }

  private final Binding binding;
  private final ReentrantLock packets;
  private final Sink sink;
  private final Supplier<SwitchClock> clock;
  private RoleConfig role;
  private ReadResponse.Builder chunk = ReadResponse.newBuilder();

  /** A reader for a switch that is in no network: time stands still. */
  Reader(Binding binding, ReentrantLock packets, Sink sink) {
    this(binding, packets, () -> SwitchClock.STOPPED, sink);
  }

  /**
   * A reader.
   *
   * @param packets the switch's lock
   * @param clock the time that its packets live in
   */
  Reader(Binding binding, ReentrantLock packets, Supplier<SwitchClock> clock, Sink sink) {
    this.binding = binding;
    this.clock = clock;
    this.packets = packets;
    this.sink = sink;
  }

  /**
   * Reads for a role.
   *
   * @param config what it may do; null for everything
   */
  Reader as(RoleConfig config) {
    role = config;
    return this;
  }

  /**
   * Answers every element of a request.
   *
   * @return the errors by element, or null if there are none
   * @throws RpcException if the client is gone
   */
  RpcException[] read(List<Entity> entities) throws RpcException {
    RpcException[] errors = null;
    for (int i = 0; i < entities.size(); i++) {
      RpcException error = readOne(entities.get(i));
      if (error != null) {
        errors = errors == null ? new RpcException[entities.size()] : errors;
        errors[i] = error;
      }
    }
    flush();
    return errors;
  }

  /**
   * What is wrong with one element, or null; a client that is gone ends the whole request instead.
   */
  private RpcException readOne(Entity entity) throws RpcException {
    Query query;
    try {
      query = query(entity);
    } catch (RpcException e) {
      return e;
    }
    query.run();
    return null;
  }

  /** A checked element. */
  private interface Query {
    void run() throws RpcException;
  }

  private Query query(Entity entity) throws RpcException {
    if (role != null) {
      role.check(entity);
    }
    switch (entity.getEntityCase()) {
      case TABLE_ENTRY:
        return tableQuery(entity.getTableEntry());
      case COUNTER_ENTRY:
        return counterQuery(entity.getCounterEntry());
      case DIRECT_COUNTER_ENTRY:
        return directQuery(entity.getDirectCounterEntry().getTableEntry(), new DirectCounters());
      case METER_ENTRY:
        return meterQuery(entity.getMeterEntry());
      case DIRECT_METER_ENTRY:
        MeterConfigs.refuseColourCounters(
            entity.getDirectMeterEntry().hasCounterData(), "a direct_meter_entry");
        return directQuery(entity.getDirectMeterEntry().getTableEntry(), new DirectMeters());
      case VALUE_SET_ENTRY:
        int id = entity.getValueSetEntry().getValueSetId();
        Collection<ValueSetBinding> sets =
            id == 0 ? binding.valueSets().values() : List.of(binding.valueSet(id));
        return () -> valueSets(sets);
      case ACTION_PROFILE_MEMBER:
        return listed(ProfileMembers.read(binding, entity.getActionProfileMember()));
      case ACTION_PROFILE_GROUP:
        return listed(ProfileGroups.read(binding, entity.getActionProfileGroup()));
      case REGISTER_ENTRY:
        return registerQuery(entity.getRegisterEntry());
      case EXTERN_ENTRY:
        if (entity.getExternEntry().getExternTypeId() == 0) {
          return () -> {};
        }
        throw ExternEntries.refusal(entity.getExternEntry());
      case PACKET_REPLICATION_ENGINE_ENTRY:
        return listed(binding.replication().read(entity.getPacketReplicationEngineEntry()));
      case DIGEST_ENTRY:
        return listed(binding.readDigests(entity.getDigestEntry().getDigestId()));
      case ENTITY_NOT_SET:
        throw RpcException.invalid("the request has no entity");
      default:
        throw new RpcException(
            Code.UNIMPLEMENTED, "reading a " + entity.getEntityCase() + " is not supported");
    }
  }

  /** Entities that only writes change, which no read goes beside. */
  private Query listed(List<Entity> entities) {
    return () -> {
      for (Entity entity : entities) {
        add(entity);
        flushIfFull();
      }
    };
  }

  private void valueSets(Collection<ValueSetBinding> sets) throws RpcException {
    for (ValueSetBinding set : sets) {
      packets.lock();
      try {
        add(Entity.newBuilder().setValueSetEntry(set.read()).build());
      } finally {
        packets.unlock();
      }
      flushIfFull();
    }
  }

  private Query tableQuery(TableEntry filter) throws RpcException {
    TableEntryWriter.refuseColourCounters(filter, "a table_entry");
    boolean withCounter = filter.hasCounterData();
    if (filter.getTableId() == 0) {
      if (filter.getMatchCount() > 0 || filter.hasAction() || filter.getPriority() != 0) {
        throw RpcException.invalid(
            "table_id is 0, which means every table; no match, action or priority can go with it");
      }
      Collection<TableBinding> all = binding.tables().values();
      return () -> {
        for (TableBinding table : all) {
          entries(table, filter, withCounter);
        }
      };
    }
    TableBinding table = binding.table(filter.getTableId());
    checkTimes(table, filter);
    if (filter.hasAction() && table.profile() != null) {
      throw RpcException.invalid(
          "entries of table '"
              + table.name()
              + "' refer to an action profile; they cannot be filtered by action");
    }
    if (filter.getMatchCount() > 0) {
      int slot = locate(table, filter);
      return () -> {
        if (slot != 0) {
          entry(table, slot, filter, withCounter);
        }
      };
    }
    return () -> entries(table, filter, withCounter);
  }

  private static void checkTimes(TableBinding table, TableEntry filter) throws RpcException {
    if (filter.hasTimeSinceLastHit() && !table.hasTimeouts()) {
      throw RpcException.invalid(
          "table '" + table.name() + "' has no idle timeout; time_since_last_hit is set");
    }
    if (filter.hasTimeSinceLastHit() && filter.getIsDefaultAction()) {
      throw RpcException.invalid(
          "the default entry of table '"
              + table.name()
              + "' has no idle timeout; time_since_last_hit is set");
    }
  }

  private int locate(TableBinding table, TableEntry filter) throws RpcException {
    TableEntryCodec codec = new TableEntryCodec(table);
    codec.readMatch(filter);
    packets.lock();
    try {
      return table.table().locate(codec.key());
    } finally {
      packets.unlock();
    }
  }

  private void entry(TableBinding table, int slot, TableEntry filter, boolean withCounter)
      throws RpcException {
    packets.lock();
    try {
      if (passes(table, slot, filter)) {
        add(
            Entity.newBuilder()
                .setTableEntry(
                    written(new TableEntryCodec(table), table, slot, filter, withCounter))
                .build());
      }
    } finally {
      packets.unlock();
    }
    flushIfFull();
  }

  private void entries(TableBinding table, TableEntry filter, boolean withCounter)
      throws RpcException {
    if (filter.getIsDefaultAction()) {
      entry(table, MatchTable.DEFAULT_SLOT, filter, withCounter);
      return;
    }
    TableEntryCodec codec = new TableEntryCodec(table);
    slots(
        table,
        slot -> {
          if (passes(table, slot, filter)) {
            add(
                Entity.newBuilder()
                    .setTableEntry(written(codec, table, slot, filter, withCounter))
                    .build());
          }
        });
  }

  /** Visits the entries of a table, in slices under the switch's lock. */
  private void slots(TableBinding table, IntConsumer visit) throws RpcException {
    int slot = 1;
    boolean more = true;
    while (more) {
      packets.lock();
      try {
        MatchTable entries = table.table();
        int end = Math.min(entries.slotEnd(), slot + CHUNK);
        for (; slot < end; slot++) {
          if (entries.isUsed(slot)) {
            visit.accept(slot);
          }
        }
        more = slot < entries.slotEnd();
      } finally {
        packets.unlock();
      }
      flushIfFull();
    }
  }

  private static boolean passes(TableBinding table, int slot, TableEntry filter) {
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
      TableBinding.ActionBinding action = table.actionAt(entries.action(slot));
      return action != null && action.id() == filter.getAction().getAction().getActionId();
    }
    return true;
  }

  private Query counterQuery(CounterEntry filter) throws RpcException {
    if (filter.getCounterId() == 0) {
      if (filter.hasIndex()) {
        throw RpcException.invalid(
            "counter_id is 0, which means every counter; no index can go with it");
      }
      return () -> {
        for (Binding.CounterBinding counter : binding.counters().values()) {
          cells(0, counter.size(), i -> cell(counter, i));
        }
      };
    }
    Binding.CounterBinding counter = binding.counter(filter.getCounterId());
    if (!filter.hasIndex()) {
      return () -> cells(0, counter.size(), i -> cell(counter, i));
    }
    int index = CounterEntries.index(counter, filter.getIndex().getIndex());
    return () -> cells(index, index + 1, i -> cell(counter, i));
  }

  private static Entity cell(Binding.CounterBinding counter, int i) {
    CounterData data =
        CounterData.newBuilder()
            .setPacketCount(counter.cells()[2 * i])
            .setByteCount(counter.cells()[2 * i + 1])
            .build();
    return Entity.newBuilder()
        .setCounterEntry(
            CounterEntry.newBuilder()
                .setCounterId(counter.id())
                .setIndex(Index.newBuilder().setIndex(i))
                .setData(data))
        .build();
  }

  private Query meterQuery(MeterEntry filter) throws RpcException {
    MeterConfigs.refuseColourCounters(filter.hasCounterData(), "a meter_entry");
    if (filter.getMeterId() == 0) {
      if (filter.hasIndex()) {
        throw RpcException.invalid(
            "meter_id is 0, which means every meter; no index can go with it");
      }
      return () -> {
        for (Binding.MeterBinding meter : binding.meters().values()) {
          cells(0, meter.cells().size(), i -> cell(meter, i));
        }
      };
    }
    Binding.MeterBinding meter = binding.meter(filter.getMeterId());
    if (!filter.hasIndex()) {
      return () -> cells(0, meter.cells().size(), i -> cell(meter, i));
    }
    int index = MeterEntries.index(meter, filter.getIndex().getIndex());
    return () -> cells(index, index + 1, i -> cell(meter, i));
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

  private Query registerQuery(RegisterEntry filter) throws RpcException {
    if (filter.getRegisterId() == 0) {
      if (filter.hasIndex()) {
        throw RpcException.invalid(
            "register_id is 0, which means every register; no index can go with it");
      }
      return () -> {
        for (RegisterBinding register : binding.registers().values()) {
          cells(0, register.size(), i -> cell(register, i));
        }
      };
    }
    RegisterBinding register = binding.register(filter.getRegisterId());
    if (!filter.hasIndex()) {
      return () -> cells(0, register.size(), i -> cell(register, i));
    }
    int index = register.index(filter.getIndex().getIndex());
    return () -> cells(index, index + 1, i -> cell(register, i));
  }

  private static Entity cell(RegisterBinding register, int i) {
    return Entity.newBuilder().setRegisterEntry(register.read(i)).build();
  }

  /** Adds cells of an array, in slices under the switch's lock. */
  private void cells(int from, int to, IntFunction<Entity> cell) throws RpcException {
    for (int start = from; start < to; start += CHUNK) {
      packets.lock();
      try {
        for (int i = start; i < Math.min(to, start + CHUNK); i++) {
          add(cell.apply(i));
        }
      } finally {
        packets.unlock();
      }
      flushIfFull();
    }
  }

  /** Counters or meters that belong to the entries of tables. */
  private interface Direct {
    String kind();

    Collection<TableBinding> tables();

    boolean isOf(TableBinding table);

    /** Whether a default action has one. */
    boolean hasDefault();

    Entity entity(TableEntryCodec codec, TableBinding table, int slot);
  }

  private final class DirectCounters implements Direct {
    @Override
    public String kind() {
      return "counter";
    }

    @Override
    public Collection<TableBinding> tables() {
      return binding.tablesByCounter().values();
    }

    @Override
    public boolean isOf(TableBinding table) {
      return table.hasDirectCounter();
    }

    @Override
    public boolean hasDefault() {
      return true;
    }

    @Override
    public Entity entity(TableEntryCodec codec, TableBinding table, int slot) {
      return Entity.newBuilder()
          .setDirectCounterEntry(
              DirectCounterEntry.newBuilder()
                  .setTableEntry(codec.write(slot, false))
                  .setData(codec.counter(slot)))
          .build();
    }
  }

  private final class DirectMeters implements Direct {
    @Override
    public String kind() {
      return "meter";
    }

    @Override
    public Collection<TableBinding> tables() {
      return binding.tablesByMeter().values();
    }

    @Override
    public boolean isOf(TableBinding table) {
      return table.hasDirectMeter();
    }

    @Override
    public boolean hasDefault() {
      return false;
    }

    @Override
    public Entity entity(TableEntryCodec codec, TableBinding table, int slot) {
      DirectMeterEntry.Builder entry =
          DirectMeterEntry.newBuilder().setTableEntry(codec.write(slot, false));
      MeterConfig config = MeterConfigs.read(table.table().meters, slot);
      if (config != null) {
        entry.setConfig(config);
      }
      return Entity.newBuilder().setDirectMeterEntry(entry).build();
    }
  }

  private Query directQuery(TableEntry of, Direct direct) throws RpcException {
    if (of.getTableId() == 0) {
      if (of.getMatchCount() > 0) {
        throw RpcException.invalid(
            "table_id is 0, which means every table; no match can go with it");
      }
      return () -> {
        for (TableBinding table : direct.tables()) {
          directs(table, direct);
        }
      };
    }
    TableBinding table = binding.table(of.getTableId());
    if (!direct.isOf(table)) {
      throw RpcException.invalid("table '" + table.name() + "' has no direct " + direct.kind());
    }
    boolean ofDefault = direct.hasDefault() && of.getIsDefaultAction();
    if (of.getMatchCount() == 0 && !ofDefault) {
      return () -> directs(table, direct);
    }
    int slot = ofDefault ? MatchTable.DEFAULT_SLOT : locate(table, of);
    if (slot == 0 && !ofDefault) {
      throw new RpcException(Code.NOT_FOUND, "table '" + table.name() + "' has no such entry");
    }
    return () -> {
      packets.lock();
      try {
        add(direct.entity(new TableEntryCodec(table), table, slot));
      } finally {
        packets.unlock();
      }
      flushIfFull();
    };
  }

  private void directs(TableBinding table, Direct direct) throws RpcException {
    TableEntryCodec codec = new TableEntryCodec(table);
    slots(table, slot -> add(direct.entity(codec, table, slot)));
  }

  private TableEntry written(
      TableEntryCodec codec, TableBinding table, int slot, TableEntry filter, boolean withCounter) {
    TableEntry entry = codec.write(slot, withCounter);
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

  private void add(Entity entity) {
    if (role != null && !role.sees(entity)) {
      return;
    }
    chunk.addEntities(entity);
  }

  private void flushIfFull() throws RpcException {
    if (chunk.getEntitiesCount() >= CHUNK) {
      flush();
    }
  }

  private void flush() throws RpcException {
    if (chunk.getEntitiesCount() > 0) {
      ReadResponse full = chunk.build();
      chunk = ReadResponse.newBuilder();
      sink.send(full);
    }
  }
}
