package net.sluice.emulator.server.p4runtime;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import net.sluice.emulator.switching.ReplicationEngine;
import net.sluice.emulator.v1model.LoadedProgram;
import net.sluice.emulator.v1model.program.Primitive;
import net.sluice.emulator.v1model.program.Program;
import net.sluice.emulator.v1model.table.MeterCells;
import p4.config.v1.P4InfoOuterClass;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/**
 * A forwarding pipeline config that the switch can realise: the compiled program, and what P4Info
 * calls its parts.
 *
 * @param config as the controller sent it
 * @param tables by P4Runtime id
 * @param tablesByCounter tables with a direct counter, by the counter's id
 * @param counters indirect counters by id
 * @param tablesByMeter tables with a direct meter, by the meter's id
 * @param meters indirect meters by id
 * @param valueSets parser value sets by id
 * @param registers registers by id
 * @param actionProfiles action profiles by id
 * @param replication multicast groups and clone sessions
 * @param digests digests by id
 * @param packetIo headers of packets from and to the controller
 * @param types types that P4Info has in another form than the program
 * @param initialEntries what tables begin with that a controller may delete
 * @param kind what the server refuses
 */
record Binding(
    ForwardingPipelineConfig config,
    LoadedProgram program,
    Map<Integer, TableBinding> tables,
    Map<Integer, TableBinding> tablesByCounter,
    Map<Integer, CounterEntries.Counter> counters,
    Map<Integer, TableBinding> tablesByMeter,
    Map<Integer, MeterEntries.Meter> meters,
    Map<Integer, ValueSetBinding> valueSets,
    Map<Integer, RegisterBinding> registers,
    Map<Integer, ActionProfileBinding> actionProfiles,
    ReplicationBinding replication,
    Map<Integer, DigestBinding> digests,
    PacketIoBinding packetIo,
    TranslatedTypes types,
    List<TableEntry> initialEntries,
    ServerVariant kind) {

  /**
   * Pairs P4Info with a compiled program.
   *
   * @throws RpcException INVALID_ARGUMENT if they do not belong together
   */
  static Binding of(ForwardingPipelineConfig config, LoadedProgram program) throws RpcException {
    return of(config, program, Map.of());
  }

  /**
   * Pairs P4Info with a compiled program.
   *
   * @param portNames interfaces by port, for types that call ports by their names
   * @throws RpcException INVALID_ARGUMENT if they do not belong together
   */
  static Binding of(
      ForwardingPipelineConfig config, LoadedProgram program, Map<Integer, String> portNames)
      throws RpcException {
    P4Info info = config.getP4Info();
    refuse(info.getExternsCount(), "extern");
    checkPlatform(info);
    checkScopes(info);
    Map<Integer, P4InfoOuterClass.Action> actions = TableBinding.actionsById(info);
    TranslatedTypes types = TranslatedTypes.of(info, portNames);
    Map<Integer, ActionProfileBinding> profiles = ActionProfileBinding.of(info, program, types);
    Map<Integer, TableBinding> tables = new LinkedHashMap<>();
    for (P4InfoOuterClass.Table table : info.getTablesList()) {
      Program.Table compiled =
          named(program.tables(), Program.Table::name, table.getPreamble().getName());
      if (compiled == null) {
        checkLeftOut(table, info, program);
        continue;
      }
      tables.put(
          table.getPreamble().getId(),
          TableBinding.bind(
              table,
              actions,
              profiles,
              types,
              compiled,
              program.state().tables().get(program.tables().indexOf(compiled))));
    }
    Map<Integer, TableBinding> tablesByCounter = new LinkedHashMap<>();
    for (P4InfoOuterClass.DirectCounter counter : info.getDirectCountersList()) {
      int id = counter.getPreamble().getId();
      TableBinding table = tables.get(counter.getDirectTableId());
      if (table == null && isLeftOut(info, counter.getDirectTableId())) {
        continue;
      }
      if (table == null || table.table().counters == null) {
        throw RpcException.invalid(
            "direct counter '%s' belongs to a table that does not count in the device config",
            counter.getPreamble().getName());
      }
      TableBinding counted = table.withDirectCounter(id);
      tables.put(counter.getDirectTableId(), counted);
      tablesByCounter.put(id, counted);
    }
    Map<Integer, TableBinding> tablesByMeter = new LinkedHashMap<>();
    for (P4InfoOuterClass.DirectMeter meter : info.getDirectMetersList()) {
      int id = meter.getPreamble().getId();
      TableBinding table = tables.get(meter.getDirectTableId());
      if (table == null && isLeftOut(info, meter.getDirectTableId())) {
        continue;
      }
      if (table == null || table.table().meters == null) {
        throw RpcException.invalid(
            "direct meter '%s' belongs to a table that does not meter in the device config",
            meter.getPreamble().getName());
      }
      table.table().meters.setKind(MeterConfigs.kind(meter.getSpec(), meter.getPreamble()));
      TableBinding metered = table.withDirectMeter(id);
      tables.put(meter.getDirectTableId(), metered);
      tablesByCounter.replaceAll((c, t) -> t == table ? metered : t);
      tablesByMeter.put(id, metered);
    }
    return new Binding(
        config,
        program,
        tables,
        tablesByCounter,
        counters(info, program),
        tablesByMeter,
        meters(info, program),
        ValueSetBinding.of(info, program),
        RegisterBinding.of(info, program, types),
        profiles,
        new ReplicationBinding(program.state().replication(), types.ports()),
        DigestBinding.of(info, program, types),
        PacketIoBinding.of(info, program.program().headers(), types),
        types,
        initialEntries(tables.values()),
        ServerVariant.specified());
  }

  /** The same for another kind of server, which was sent another config. */
  Binding as(ServerVariant otherKind, ForwardingPipelineConfig sent) {
    return new Binding(
        sent,
        program,
        tables,
        tablesByCounter,
        counters,
        tablesByMeter,
        meters,
        valueSets,
        registers,
        actionProfiles,
        replication,
        digests,
        packetIo,
        types,
        initialEntries,
        otherKind);
  }

  private static List<TableEntry> initialEntries(Collection<TableBinding> tables) {
    List<TableEntry> entries = new ArrayList<>();
    for (TableBinding table : tables) {
      TableEntryCodec codec = new TableEntryCodec(table);
      for (int slot = 1; !table.entriesConst() && slot < table.table().slotEnd(); slot++) {
        if (table.table().isUsed(slot)) {
          entries.add(codec.write(slot, false));
        }
      }
    }
    return List.copyOf(entries);
  }

  private static void refuse(int count, String what) throws RpcException {
    if (count > 0) {
      throw RpcException.invalid("P4Info has a " + what + ", which this switch does not support");
    }
  }

  /** Checks the program's requirements of the platform (section 6.2). */
  private static void checkPlatform(P4Info info) throws RpcException {
    int groups = info.getPkgInfo().getPlatformProperties().getMulticastGroupTableSize();
    if (groups > ReplicationEngine.MAX_GROUP) {
      throw RpcException.invalid(
          "pkg_info.platform_properties requires %s multicast groups; there are at most %s",
          groups, ReplicationEngine.MAX_GROUP);
    }
  }

  private static void checkScopes(P4Info info) throws RpcException {
    for (P4InfoOuterClass.Table table : info.getTablesList()) {
      for (P4InfoOuterClass.ActionRef ref : table.getActionRefsList()) {
        if (ref.getScope() == P4InfoOuterClass.ActionRef.Scope.GROUP_ACTION
            || ref.getScope() == P4InfoOuterClass.ActionRef.Scope.UNRECOGNIZED) {
          throw RpcException.invalid(
              "table '%s' has an action of scope %s in P4Info, which is not supported; 0"
                  + " (TABLE_AND_DEFAULT), 1 (TABLE_ONLY) and 2 (DEFAULT_ONLY) are",
              table.getPreamble().getName(), ref.getScopeValue());
        }
      }
    }
  }

  /**
   * Refuses a table that is only in P4Info, unless the two belong together all the same: the
   * compiler leaves out of the program what no packet can get to, and then every table that it has
   * and a controller can write to is in P4Info.
   */
  private static void checkLeftOut(P4InfoOuterClass.Table table, P4Info info, LoadedProgram program)
      throws RpcException {
    Set<String> names = new HashSet<>();
    info.getTablesList().forEach(t -> names.add(t.getPreamble().getName()));
    for (Program.Table compiled : program.tables()) {
      if (!compiled.key().isEmpty() && !names.contains(compiled.name())) {
        throw RpcException.invalid(
            "the device config has no table '" + table.getPreamble().getName() + "'");
      }
    }
  }

  private static boolean isLeftOut(P4Info info, int tableId) {
    return info.getTablesList().stream().anyMatch(t -> t.getPreamble().getId() == tableId);
  }

  private static Map<Integer, CounterEntries.Counter> counters(P4Info info, LoadedProgram program)
      throws RpcException {
    Map<Integer, CounterEntries.Counter> counters = new LinkedHashMap<>();
    for (P4InfoOuterClass.Counter counter : info.getCountersList()) {
      String name = counter.getPreamble().getName();
      Primitive.CounterDef found =
          named(program.program().counters(), Primitive.CounterDef::name, name);
      if (found == null || found.size() != counter.getSize()) {
        throw RpcException.invalid(
            "counter '%s' of size %s is %s in the device config",
            name, counter.getSize(), found == null ? "missing" : "of size " + found.size());
      }
      int id = counter.getPreamble().getId();
      counters.put(
          id, new CounterEntries.Counter(id, name, program.state().counters().get(found.index())));
    }
    return counters;
  }

  private static Map<Integer, MeterEntries.Meter> meters(P4Info info, LoadedProgram program)
      throws RpcException {
    Map<Integer, MeterEntries.Meter> meters = new LinkedHashMap<>();
    for (P4InfoOuterClass.Meter meter : info.getMetersList()) {
      String name = meter.getPreamble().getName();
      MeterCells found = named(program.state().meters(), MeterCells::name, name);
      if (found == null || found.size() != meter.getSize()) {
        throw RpcException.invalid(
            "meter '%s' of size %s is %s in the device config",
            name, meter.getSize(), found == null ? "missing" : "of size " + found.size());
      }
      found.setKind(MeterConfigs.kind(meter.getSpec(), meter.getPreamble()));
      meters.put(
          meter.getPreamble().getId(), new MeterEntries.Meter(meter.getPreamble().getId(), found));
    }
    return meters;
  }

  /** The part of a name, or null if there is none. */
  static <T> T named(List<T> all, Function<T, String> nameOf, String name) {
    return all.stream().filter(one -> nameOf.apply(one).equals(name)).findFirst().orElse(null);
  }

  /**
   * The part of the program with an id.
   *
   * @param what the kind of part, for the message
   * @throws RpcException INVALID_ARGUMENT if there is none
   */
  static <T> T find(Map<Integer, T> parts, int id, String what) throws RpcException {
    T part = parts.get(id);
    if (part == null) {
      throw RpcException.invalid(
          "there is no " + what + " with id " + Integer.toUnsignedString(id));
    }
    return part;
  }

  /** The action profile with an id. */
  ActionProfileBinding actionProfile(int id) throws RpcException {
    return find(actionProfiles, id, "action profile");
  }

  /**
   * The action profiles that a read request means: one, or all for the id 0.
   *
   * @param within what it asks for in there, 0 for everything
   * @param field that {@code within} is of
   */
  Collection<ActionProfileBinding> actionProfiles(int id, int within, String field)
      throws RpcException {
    if (id != 0) {
      return List.of(actionProfile(id));
    }
    if (within != 0) {
      throw RpcException.invalid(
          "action_profile_id is 0, which means every action profile; no %s can go with it", field);
    }
    return actionProfiles.values();
  }

  /** The digest with an id. */
  DigestBinding digest(int id) throws RpcException {
    return find(digests, id, "digest");
  }

  /** The value set with an id. */
  ValueSetBinding valueSet(int id) throws RpcException {
    return find(valueSets, id, "value set");
  }

  /** The table with an id. */
  TableBinding table(int id) throws RpcException {
    return find(tables, id, "table");
  }
}
