package net.sluice.emulator.server.p4runtime.program;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.sluice.emulator.server.p4runtime.cell.CounterEntries;
import net.sluice.emulator.server.p4runtime.cell.MeterConfigs;
import net.sluice.emulator.server.p4runtime.cell.MeterEntries;
import net.sluice.emulator.server.p4runtime.cell.RegisterBinding;
import net.sluice.emulator.server.p4runtime.entity.Parts;
import net.sluice.emulator.server.p4runtime.packet.PacketIoBinding;
import net.sluice.emulator.server.p4runtime.packet.ReplicationBinding;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.server.p4runtime.table.ActionProfileBinding;
import net.sluice.emulator.server.p4runtime.table.BoundTable;
import net.sluice.emulator.server.p4runtime.table.TableEntryCodec;
import net.sluice.emulator.server.p4runtime.value.TranslatedTypes;
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
 * @param counted tables with a direct counter
 * @param counters indirect counters
 * @param metered tables with a direct meter
 * @param meters indirect meters
 * @param valueSets parser value sets
 * @param replication multicast groups and clone sessions
 * @param packetIo headers of packets from and to the controller
 * @param types types that P4Info has in another form than the program
 * @param initialEntries what tables begin with that a controller may delete
 * @param rules what the server refuses
 */
public record Binding(
    ForwardingPipelineConfig config,
    LoadedProgram program,
    Parts<BoundTable> tables,
    Collection<BoundTable> counted,
    Parts<CounterEntries.Counter> counters,
    Collection<BoundTable> metered,
    Parts<MeterEntries.Meter> meters,
    Parts<ValueSetBinding> valueSets,
    Parts<RegisterBinding> registers,
    Parts<ActionProfileBinding> actionProfiles,
    ReplicationBinding replication,
    Parts<DigestBinding> digests,
    PacketIoBinding packetIo,
    TranslatedTypes types,
    List<TableEntry> initialEntries,
    EntityRules rules) {

  /**
   * Pairs P4Info with a compiled program.
   *
   * @throws RpcException INVALID_ARGUMENT if they do not belong together
   */
  public static Binding of(ForwardingPipelineConfig config, LoadedProgram program)
      throws RpcException {
    return of(config, program, Map.of());
  }

  /**
   * Pairs P4Info with a compiled program.
   *
   * @param portNames interfaces by port, for types that call ports by their names
   * @throws RpcException INVALID_ARGUMENT if they do not belong together
   */
  public static Binding of(
      ForwardingPipelineConfig config, LoadedProgram program, Map<Integer, String> portNames)
      throws RpcException {
    P4Info info = config.getP4Info();
    refuse(info.getExternsCount(), "extern");
    checkPlatform(info);
    checkScopes(info);
    Map<Integer, P4InfoOuterClass.Action> actions = BoundTable.actionsById(info);
    TranslatedTypes types = TranslatedTypes.of(info, portNames);
    Map<Integer, ActionProfileBinding> profiles = ActionProfileBinding.of(info, program, types);
    Map<Integer, BoundTable> tables = new LinkedHashMap<>();
    for (P4InfoOuterClass.Table table : info.getTablesList()) {
      Program.Table compiled =
          Parts.named(program.tables(), Program.Table::name, table.getPreamble().getName());
      if (compiled == null) {
        checkLeftOut(table, info, program);
        continue;
      }
      tables.put(
          table.getPreamble().getId(),
          BoundTable.bind(
              table,
              actions,
              profiles,
              types,
              compiled,
              program.state().tables().get(program.tables().indexOf(compiled))));
    }
    Map<Integer, BoundTable> tablesByCounter = new LinkedHashMap<>();
    for (P4InfoOuterClass.DirectCounter counter : info.getDirectCountersList()) {
      int id = counter.getPreamble().getId();
      BoundTable table = tables.get(counter.getDirectTableId());
      if (table == null && isLeftOut(info, counter.getDirectTableId())) {
        continue;
      }
      if (table == null || table.table().counters == null) {
        throw RpcException.invalid(
            "direct counter '%s' belongs to a table that does not count in the device config",
            counter.getPreamble().getName());
      }
      BoundTable counted = table.withDirectCounter(id);
      tables.put(counter.getDirectTableId(), counted);
      tablesByCounter.put(id, counted);
    }
    Map<Integer, BoundTable> tablesByMeter = new LinkedHashMap<>();
    for (P4InfoOuterClass.DirectMeter meter : info.getDirectMetersList()) {
      int id = meter.getPreamble().getId();
      BoundTable table = tables.get(meter.getDirectTableId());
      if (table == null && isLeftOut(info, meter.getDirectTableId())) {
        continue;
      }
      if (table == null || table.table().meters == null) {
        throw RpcException.invalid(
            "direct meter '%s' belongs to a table that does not meter in the device config",
            meter.getPreamble().getName());
      }
      table.table().meters.setKind(MeterConfigs.kind(meter.getSpec(), meter.getPreamble()));
      BoundTable metered = table.withDirectMeter(id);
      tables.put(meter.getDirectTableId(), metered);
      tablesByCounter.replaceAll((c, t) -> t == table ? metered : t);
      tablesByMeter.put(id, metered);
    }
    return new Binding(
        config,
        program,
        new Parts<>("table", tables),
        List.copyOf(tablesByCounter.values()),
        new Parts<>("indirect counter", counters(info, program)),
        List.copyOf(tablesByMeter.values()),
        new Parts<>("indirect meter", meters(info, program)),
        new Parts<>("value set", ValueSetBinding.of(info, program)),
        new Parts<>("register", RegisterBinding.of(info, program, types)),
        new Parts<>("action profile", profiles),
        new ReplicationBinding(program.state().replication(), types.ports()),
        new Parts<>("digest", DigestBinding.of(info, program, types)),
        PacketIoBinding.of(info, program.program().headers(), types),
        types,
        initialEntries(tables.values()),
        EntityRules.SPECIFIED);
  }

  /** The same for a server with other rules, which was sent another config. */
  public Binding as(EntityRules otherRules, ForwardingPipelineConfig sent) {
    return new Binding(
        sent,
        program,
        tables,
        counted,
        counters,
        metered,
        meters,
        valueSets,
        registers,
        actionProfiles,
        replication,
        digests,
        packetIo,
        types,
        initialEntries,
        otherRules);
  }

  private static List<TableEntry> initialEntries(Collection<BoundTable> tables) {
    List<TableEntry> entries = new ArrayList<>();
    for (BoundTable table : tables) {
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
          Parts.named(program.program().counters(), Primitive.CounterDef::name, name);
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
      MeterCells found = Parts.named(program.state().meters(), MeterCells::name, name);
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
}
