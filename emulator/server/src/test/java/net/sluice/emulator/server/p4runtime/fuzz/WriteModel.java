package net.sluice.emulator.server.p4runtime.fuzz;

import com.google.rpc.Code;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import p4.config.v1.P4InfoOuterClass;
import p4.config.v1.P4InfoOuterClass.MatchField;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4DataOuterClass.P4Data;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.FieldMatch;
import p4.v1.P4RuntimeOuterClass.Index;
import p4.v1.P4RuntimeOuterClass.MeterConfig;
import p4.v1.P4RuntimeOuterClass.TableAction;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.ValueSetEntry;
import p4.v1.P4RuntimeOuterClass.ValueSetMember;

/**
 * The state of a P4Runtime server, written down from the specification and from P4Info alone: maps
 * of messages, checked one field after the other with numbers of any size. Slow and simple; it
 * shares nothing with the server that it is compared with.
 */
final class WriteModel {

  /** The largest rate and burst of a meter. */
  private static final long METER_MAX = Long.MAX_VALUE / 1_000_000;

  /** Entries by what identifies them, as they are read; the key of a default entry is the table. */
  final Map<TableEntry, TableEntry> entries;

  /** Default entries by table. */
  final Map<Integer, TableEntry> defaults;

  /** Cells that differ from zero, or from none, by array and index. */
  final Map<Integer, Map<Long, CounterData>> counters;

  final Map<Integer, Map<Long, MeterConfig>> meters;
  final Map<Integer, Map<Long, P4Data>> registers;
  final Map<Integer, ValueSetEntry> valueSets;
  final OtherEntities others;

  private final P4Info info;
  private final Map<Integer, TableEntry> initialDefaults;
  private final Map<Integer, P4InfoOuterClass.Table> tables = new HashMap<>();
  private final Set<Integer> counted = new HashSet<>();
  private final Set<Integer> metered = new HashSet<>();

  /**
   * A model of a server as it begins.
   *
   * @param declared the entries that the program declares, with counters
   * @param defaultEntries the default entries that the program declares
   */
  WriteModel(P4Info info, List<TableEntry> declared, List<TableEntry> defaultEntries) {
    this(
        info,
        new LinkedHashMap<>(),
        new TreeMap<>(),
        new TreeMap<>(),
        new TreeMap<>(),
        new TreeMap<>(),
        new TreeMap<>(),
        new OtherEntities(info),
        new HashMap<>());
    declared.forEach(e -> entries.put(key(e), e));
    defaultEntries.forEach(e -> defaults.put(e.getTableId(), e));
    initialDefaults.putAll(defaults);
    for (P4InfoOuterClass.ValueSet set : info.getValueSetsList()) {
      int id = set.getPreamble().getId();
      valueSets.put(id, ValueSetEntry.newBuilder().setValueSetId(id).build());
    }
  }

  private WriteModel(
      P4Info info,
      Map<TableEntry, TableEntry> entries,
      Map<Integer, TableEntry> defaults,
      Map<Integer, Map<Long, CounterData>> counters,
      Map<Integer, Map<Long, MeterConfig>> meters,
      Map<Integer, Map<Long, P4Data>> registers,
      Map<Integer, ValueSetEntry> valueSets,
      OtherEntities others,
      Map<Integer, TableEntry> initialDefaults) {
    this.info = info;
    this.entries = entries;
    this.defaults = defaults;
    this.counters = counters;
    this.meters = meters;
    this.registers = registers;
    this.valueSets = valueSets;
    this.others = others;
    this.initialDefaults = initialDefaults;
    info.getTablesList().forEach(t -> tables.put(t.getPreamble().getId(), t));
    info.getDirectCountersList().forEach(c -> counted.add(c.getDirectTableId()));
    info.getDirectMetersList().forEach(m -> metered.add(m.getDirectTableId()));
  }

  /** A model that goes its own way from here. */
  WriteModel copy() {
    return new WriteModel(
        info,
        new LinkedHashMap<>(entries),
        new TreeMap<>(defaults),
        cells(counters),
        cells(meters),
        cells(registers),
        new TreeMap<>(valueSets),
        others.copy(),
        initialDefaults);
  }

  private static <T> Map<Integer, Map<Long, T>> cells(Map<Integer, Map<Long, T>> from) {
    Map<Integer, Map<Long, T>> copy = new TreeMap<>();
    from.forEach((id, cells) -> copy.put(id, new TreeMap<>(cells)));
    return copy;
  }

  /** The fields that identify an entry. */
  static TableEntry key(TableEntry entry) {
    return TableEntry.newBuilder()
        .setTableId(entry.getTableId())
        .addAllMatch(entry.getMatchList())
        .setPriority(entry.getPriority())
        .build();
  }

  /** Applies an update; answers why it may be refused, nothing if it is taken. */
  Set<Code> apply(Update update) {
    ModelValues.Faults faults = new ModelValues.Faults();
    Update.Type type = update.getType();
    if (type != Update.Type.INSERT && type != Update.Type.MODIFY && type != Update.Type.DELETE) {
      return EnumSet.of(Code.INVALID_ARGUMENT);
    }
    Runnable change = null;
    switch (update.getEntity().getEntityCase()) {
      case TABLE_ENTRY -> change = tableEntry(type, update.getEntity().getTableEntry(), faults);
      case COUNTER_ENTRY -> {
        var counter = update.getEntity().getCounterEntry();
        change =
            cell(
                type,
                size(
                    counter.getCounterId(),
                    info.getCountersList(),
                    P4InfoOuterClass.Counter::getPreamble,
                    P4InfoOuterClass.Counter::getSize),
                counter.hasIndex() ? counter.getIndex() : null,
                counter.hasData() ? counter.getData() : null,
                counters.computeIfAbsent(counter.getCounterId(), i -> new TreeMap<>()),
                true,
                faults);
      }
      case METER_ENTRY -> {
        var meter = update.getEntity().getMeterEntry();
        faults.when(meter.hasCounterData(), Code.UNIMPLEMENTED);
        config(meter.hasConfig() ? meter.getConfig() : null, faults);
        change =
            cell(
                type,
                size(
                    meter.getMeterId(),
                    info.getMetersList(),
                    P4InfoOuterClass.Meter::getPreamble,
                    P4InfoOuterClass.Meter::getSize),
                meter.hasIndex() ? meter.getIndex() : null,
                meter.hasConfig() ? meter.getConfig() : null,
                meters.computeIfAbsent(meter.getMeterId(), i -> new TreeMap<>()),
                false,
                faults);
      }
      case REGISTER_ENTRY -> {
        var register = update.getEntity().getRegisterEntry();
        change = register(type, register.getRegisterId(), register, faults);
      }
      case DIRECT_COUNTER_ENTRY -> {
        var direct = update.getEntity().getDirectCounterEntry();
        change =
            directEntry(
                type,
                direct.getTableEntry(),
                counted,
                faults,
                e -> direct.hasData() ? e.toBuilder().setCounterData(direct.getData()).build() : e);
      }
      case DIRECT_METER_ENTRY -> {
        var directMeter = update.getEntity().getDirectMeterEntry();
        faults.when(directMeter.hasCounterData(), Code.UNIMPLEMENTED);
        faults.when(directMeter.getTableEntry().getIsDefaultAction(), Code.INVALID_ARGUMENT);
        config(directMeter.hasConfig() ? directMeter.getConfig() : null, faults);
        change =
            directEntry(
                type,
                directMeter.getTableEntry(),
                metered,
                faults,
                e ->
                    directMeter.hasConfig()
                        ? e.toBuilder().setMeterConfig(directMeter.getConfig()).build()
                        : e.toBuilder().clearMeterConfig().build());
      }
      case VALUE_SET_ENTRY ->
          change = valueSet(type, update.getEntity().getValueSetEntry(), faults);
      case EXTERN_ENTRY -> faults.add(Code.UNIMPLEMENTED);
      default -> change = others.apply(type, update.getEntity(), entries.values(), faults);
    }
    if (faults.codes.isEmpty()) {
      change.run();
    }
    return faults.codes;
  }

  // ---- arrays ----

  private static <T> int size(
      int id,
      List<T> all,
      java.util.function.Function<T, P4InfoOuterClass.Preamble> preamble,
      java.util.function.ToLongFunction<T> size) {
    for (T one : all) {
      if (preamble.apply(one).getId() == id) {
        return (int) size.applyAsLong(one);
      }
    }
    return -1;
  }

  private static <T> Runnable cell(
      Update.Type type,
      int size,
      Index index,
      T value,
      Map<Long, T> cells,
      boolean keepWithout,
      ModelValues.Faults faults) {
    faults.when(size < 0, Code.INVALID_ARGUMENT);
    faults.when(type != Update.Type.MODIFY, Code.INVALID_ARGUMENT);
    if (index != null && size >= 0) {
      faults.when(index.getIndex() < 0, Code.INVALID_ARGUMENT);
      faults.when(index.getIndex() >= size, Code.OUT_OF_RANGE);
    }
    return () -> {
      if (value == null && keepWithout) {
        return;
      }
      long from = index == null ? 0 : index.getIndex();
      long to = index == null ? size : from + 1;
      for (long i = from; i < to; i++) {
        if (value == null) {
          cells.remove(i);
        } else {
          cells.put(i, value);
        }
      }
    };
  }

  private Runnable register(
      Update.Type type,
      int id,
      p4.v1.P4RuntimeOuterClass.RegisterEntry entry,
      ModelValues.Faults faults) {
    P4Data canonical = null;
    for (P4InfoOuterClass.Register register : info.getRegistersList()) {
      if (register.getPreamble().getId() == id) {
        canonical =
            ModelValues.canonical(
                info.getTypeInfo(), register.getTypeSpec(), entry.getData(), faults);
      }
    }
    faults.when(!entry.hasData(), Code.INVALID_ARGUMENT);
    return cell(
        type,
        size(
            id,
            info.getRegistersList(),
            P4InfoOuterClass.Register::getPreamble,
            P4InfoOuterClass.Register::getSize),
        entry.hasIndex() ? entry.getIndex() : null,
        canonical,
        registers.computeIfAbsent(id, i -> new TreeMap<>()),
        false,
        faults);
  }

  private static void config(MeterConfig config, ModelValues.Faults faults) {
    if (config != null) {
      for (long value :
          List.of(config.getCir(), config.getCburst(), config.getPir(), config.getPburst())) {
        faults.when(value < 0 || value > METER_MAX, Code.INVALID_ARGUMENT);
      }
      faults.when(config.getCir() > config.getPir(), Code.INVALID_ARGUMENT);
      faults.when(config.getEburst() != 0, Code.INVALID_ARGUMENT);
    }
  }

  // ---- tables ----

  private Runnable directEntry(
      Update.Type type,
      TableEntry of,
      Set<Integer> having,
      ModelValues.Faults faults,
      java.util.function.UnaryOperator<TableEntry> change) {
    P4InfoOuterClass.Table table = tables.get(of.getTableId());
    if (faults.when(table == null, Code.INVALID_ARGUMENT)) {
      return null;
    }
    faults.when(!having.contains(of.getTableId()), Code.INVALID_ARGUMENT);
    faults.when(type != Update.Type.MODIFY, Code.INVALID_ARGUMENT);
    if (of.getIsDefaultAction()) {
      return () -> defaults.computeIfPresent(of.getTableId(), (id, e) -> change.apply(e));
    }
    TableEntry key = match(table, of, faults);
    if (key != null) {
      faults.when(!entries.containsKey(key), Code.NOT_FOUND);
    }
    return () -> entries.computeIfPresent(key, (k, e) -> change.apply(e));
  }

  private Runnable tableEntry(Update.Type type, TableEntry entry, ModelValues.Faults faults) {
    P4InfoOuterClass.Table table = tables.get(entry.getTableId());
    if (faults.when(table == null, Code.INVALID_ARGUMENT)) {
      return null;
    }
    boolean isDefault = entry.getIsDefaultAction();
    faults.when(entry.getIsConst(), Code.INVALID_ARGUMENT);
    if (type != Update.Type.DELETE) {
      faults.when(entry.hasMeterCounterData(), Code.UNIMPLEMENTED);
      faults.when(
          entry.hasCounterData() && !counted.contains(entry.getTableId()), Code.INVALID_ARGUMENT);
      faults.when(
          entry.hasMeterConfig() && (isDefault || !metered.contains(entry.getTableId())),
          Code.INVALID_ARGUMENT);
      config(entry.hasMeterConfig() ? entry.getMeterConfig() : null, faults);
      boolean times =
          table.getIdleTimeoutBehavior() != P4InfoOuterClass.Table.IdleTimeoutBehavior.NO_TIMEOUT;
      faults.when(
          entry.getIdleTimeoutNs() < 0
              || entry.getIdleTimeoutNs() > 0 && (isDefault || !times)
              || entry.hasTimeSinceLastHit(),
          Code.INVALID_ARGUMENT);
    }
    TableAction action = null;
    if (type != Update.Type.DELETE && entry.hasAction()) {
      action = action(table, entry, isDefault, faults);
    }
    if (isDefault) {
      return defaultEntry(type, table, entry, action, faults);
    }
    faults.when(
        type == Update.Type.INSERT && table.getMatchFieldsCount() == 0, Code.INVALID_ARGUMENT);
    TableEntry key = match(table, entry, faults);
    TableEntry before = key == null ? null : entries.get(key);
    boolean isConst = before != null && before.getIsConst();
    if (type == Update.Type.INSERT) {
      faults.when(table.getIsConstTable(), Code.PERMISSION_DENIED);
      faults.when(!entry.hasAction(), Code.INVALID_ARGUMENT);
      faults.when(before != null, Code.ALREADY_EXISTS);
      long size =
          entries.keySet().stream().filter(k -> k.getTableId() == key(entry).getTableId()).count();
      faults.when(size >= table.getSize(), Code.RESOURCE_EXHAUSTED);
    } else {
      faults.when(key != null && before == null, Code.NOT_FOUND);
    }
    if (type == Update.Type.DELETE) {
      faults.when(table.getIsConstTable() || isConst, Code.PERMISSION_DENIED);
      return () -> entries.remove(key);
    }
    faults.when(
        isConst
            && (entry.hasAction()
                || entry.getControllerMetadata() != 0
                || !entry.getMetadata().isEmpty()
                || entry.getIdleTimeoutNs() != 0),
        Code.PERMISSION_DENIED);
    TableAction taken = action;
    return () -> entries.put(key, written(key, before, entry, taken));
  }

  /** An entry as it is read after it was written. */
  private TableEntry written(
      TableEntry key, TableEntry before, TableEntry entry, TableAction action) {
    TableEntry.Builder now = before == null ? key.toBuilder() : before.toBuilder();
    if (action != null) {
      now.setAction(action);
    }
    now.setControllerMetadata(entry.getControllerMetadata())
        .setMetadata(entry.getMetadata())
        .setIdleTimeoutNs(entry.getIdleTimeoutNs());
    if (entry.hasCounterData()) {
      now.setCounterData(entry.getCounterData());
    } else if (before == null && counted.contains(entry.getTableId())) {
      now.setCounterData(CounterData.getDefaultInstance());
    }
    if (entry.hasMeterConfig()) {
      now.setMeterConfig(entry.getMeterConfig());
    } else {
      now.clearMeterConfig();
    }
    return now.build();
  }

  private Runnable defaultEntry(
      Update.Type type,
      P4InfoOuterClass.Table table,
      TableEntry entry,
      TableAction action,
      ModelValues.Faults faults) {
    faults.when(type != Update.Type.MODIFY, Code.INVALID_ARGUMENT);
    faults.when(entry.getMatchCount() > 0 || entry.getPriority() != 0, Code.INVALID_ARGUMENT);
    faults.when(
        table.getConstDefaultActionId() != 0 || table.getImplementationId() != 0,
        Code.PERMISSION_DENIED);
    int id = entry.getTableId();
    return () -> {
      if (!entry.hasAction()) {
        TableEntry.Builder reset = initialDefaults.get(id).toBuilder();
        if (counted.contains(id)) {
          reset.setCounterData(CounterData.getDefaultInstance());
        }
        defaults.put(id, reset.build());
        return;
      }
      TableEntry.Builder now = defaults.get(id).toBuilder();
      now.setAction(action)
          .setControllerMetadata(entry.getControllerMetadata())
          .setMetadata(entry.getMetadata());
      if (entry.hasCounterData()) {
        now.setCounterData(entry.getCounterData());
      }
      defaults.put(id, now.build());
    };
  }

  private TableAction action(
      P4InfoOuterClass.Table table,
      TableEntry entry,
      boolean asDefault,
      ModelValues.Faults faults) {
    if (table.getImplementationId() != 0) {
      TableEntry key = asDefault ? null : match(table, entry, new ModelValues.Faults());
      return others.reference(table, entry.getAction(), entries, key, faults);
    }
    if (faults.when(!entry.getAction().hasAction(), Code.INVALID_ARGUMENT)) {
      return null;
    }
    Action action =
        OtherEntities.action(
            info, table.getActionRefsList(), entry.getAction().getAction(), asDefault, faults);
    return action == null ? null : TableAction.newBuilder().setAction(action).build();
  }

  /** The canonical key of an entry; null if it has none. */
  private static TableEntry match(
      P4InfoOuterClass.Table table, TableEntry entry, ModelValues.Faults faults) {
    Map<Integer, FieldMatch> given = new HashMap<>();
    boolean good = true;
    for (FieldMatch match : entry.getMatchList()) {
      MatchField known = null;
      for (MatchField field : table.getMatchFieldsList()) {
        known = field.getId() == match.getFieldId() ? field : known;
      }
      good &= !faults.when(known == null, Code.INVALID_ARGUMENT);
      good &= !faults.when(given.containsKey(match.getFieldId()), Code.INVALID_ARGUMENT);
      FieldMatch canonical = known == null ? null : ModelValues.canonical(known, match, faults);
      good &= canonical != null;
      given.put(match.getFieldId(), canonical);
    }
    TableEntry.Builder key = TableEntry.newBuilder().setTableId(entry.getTableId());
    boolean prioritized = false;
    for (MatchField field : table.getMatchFieldsList()) {
      prioritized |=
          field.getMatchType() != MatchField.MatchType.EXACT
              && field.getMatchType() != MatchField.MatchType.LPM;
      FieldMatch match = given.get(field.getId());
      if (match == null) {
        good &=
            !faults.when(field.getMatchType() == MatchField.MatchType.EXACT, Code.INVALID_ARGUMENT);
      } else {
        FieldMatch canonical = ModelValues.canonical(field, match, faults);
        good &= canonical != null;
        if (canonical != null) {
          key.addMatch(canonical);
        }
      }
    }
    good &=
        !faults.when(
            prioritized ? entry.getPriority() <= 0 : entry.getPriority() != 0,
            Code.INVALID_ARGUMENT);
    return good ? key.setPriority(entry.getPriority()).build() : null;
  }

  // ---- value sets ----

  private Runnable valueSet(Update.Type type, ValueSetEntry entry, ModelValues.Faults faults) {
    P4InfoOuterClass.ValueSet set = null;
    for (P4InfoOuterClass.ValueSet candidate : info.getValueSetsList()) {
      set = candidate.getPreamble().getId() == entry.getValueSetId() ? candidate : set;
    }
    if (faults.when(set == null, Code.INVALID_ARGUMENT)) {
      return null;
    }
    faults.when(type != Update.Type.MODIFY, Code.INVALID_ARGUMENT);
    faults.when(entry.getMembersCount() > set.getSize(), Code.RESOURCE_EXHAUSTED);
    List<ValueSetMember> members = new ArrayList<>();
    for (ValueSetMember member : entry.getMembersList()) {
      ValueSetMember.Builder canonical = ValueSetMember.newBuilder();
      int known = 0;
      for (MatchField field : set.getMatchList()) {
        FieldMatch found = null;
        for (FieldMatch match : member.getMatchList()) {
          found = found == null && match.getFieldId() == field.getId() ? match : found;
        }
        FieldMatch good = found == null ? null : ModelValues.canonical(field, found, faults);
        known += found == null ? 0 : 1;
        faults.when(
            found == null && field.getMatchType() == MatchField.MatchType.EXACT,
            Code.INVALID_ARGUMENT);
        if (good != null) {
          canonical.addMatch(good);
        }
      }
      faults.when(known != member.getMatchCount(), Code.INVALID_ARGUMENT);
      faults.when(members.contains(canonical.build()), Code.ALREADY_EXISTS);
      members.add(canonical.build());
    }
    return () ->
        valueSets.put(
            entry.getValueSetId(),
            ValueSetEntry.newBuilder()
                .setValueSetId(entry.getValueSetId())
                .addAllMembers(members)
                .build());
  }
}
