package net.sluice.emulator.p4runtime;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.sluice.emulator.bmv2.LoadedProgram;
import net.sluice.emulator.bmv2.program.Primitive;
import net.sluice.emulator.bmv2.program.Program;
import p4.config.v1.P4InfoOuterClass;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;

/**
 * A forwarding pipeline config that the switch can realise: the compiled program, and what P4Info
 * calls its parts.
 *
 * @param config as the controller sent it
 * @param tables by P4Runtime id
 * @param tablesByCounter tables with a direct counter, by the counter's id
 * @param counters indirect counters by id
 */
record Binding(
    ForwardingPipelineConfig config,
    LoadedProgram program,
    Map<Integer, TableBinding> tables,
    Map<Integer, TableBinding> tablesByCounter,
    Map<Integer, CounterBinding> counters) {

  /**
   * An indirect counter: packets and bytes of index {@code i} are at {@code 2i} and {@code 2i+1}.
   */
  record CounterBinding(int id, String name, long[] cells) {
    int size() {
      return cells.length / 2;
    }
  }

  /**
   * Pairs P4Info with a compiled program.
   *
   * @throws RpcException INVALID_ARGUMENT if they do not belong together
   */
  static Binding of(ForwardingPipelineConfig config, LoadedProgram program) throws RpcException {
    P4Info info = config.getP4Info();
    refuse(info.getActionProfilesCount(), "action profile");
    refuse(info.getMetersCount(), "meter");
    refuse(info.getDirectMetersCount(), "direct meter");
    refuse(info.getValueSetsCount(), "value set");
    refuse(info.getDigestsCount(), "digest");
    refuse(info.getExternsCount(), "extern");
    Map<Integer, P4InfoOuterClass.Action> actions = TableBinding.actionsById(info);
    Map<Integer, TableBinding> tables = new LinkedHashMap<>();
    for (P4InfoOuterClass.Table table : info.getTablesList()) {
      int at = indexOf(program.tables(), table.getPreamble().getName());
      tables.put(
          table.getPreamble().getId(),
          TableBinding.bind(
              table, actions, program.tables().get(at), program.state().tables().get(at)));
    }
    Map<Integer, TableBinding> tablesByCounter = new LinkedHashMap<>();
    for (P4InfoOuterClass.DirectCounter counter : info.getDirectCountersList()) {
      int id = counter.getPreamble().getId();
      TableBinding table = tables.get(counter.getDirectTableId());
      if (table == null || table.table().counters == null) {
        throw RpcException.invalid(
            "direct counter '"
                + counter.getPreamble().getName()
                + "' belongs to a table that does not count in the device config");
      }
      TableBinding counted = table.withDirectCounter(id);
      tables.put(counter.getDirectTableId(), counted);
      tablesByCounter.put(id, counted);
    }
    return new Binding(config, program, tables, tablesByCounter, counters(info, program));
  }

  private static void refuse(int count, String what) throws RpcException {
    if (count > 0) {
      throw RpcException.invalid("P4Info has a " + what + ", which this switch does not support");
    }
  }

  private static int indexOf(List<Program.Table> tables, String name) throws RpcException {
    for (int i = 0; i < tables.size(); i++) {
      if (tables.get(i).name().equals(name)) {
        return i;
      }
    }
    throw RpcException.invalid("the device config has no table '" + name + "'");
  }

  private static Map<Integer, CounterBinding> counters(P4Info info, LoadedProgram program)
      throws RpcException {
    Map<Integer, CounterBinding> counters = new LinkedHashMap<>();
    for (P4InfoOuterClass.Counter counter : info.getCountersList()) {
      String name = counter.getPreamble().getName();
      Primitive.CounterDef found = null;
      for (Primitive.CounterDef def : program.program().counters()) {
        if (def.name().equals(name)) {
          found = def;
        }
      }
      if (found == null || found.size() != counter.getSize()) {
        throw RpcException.invalid(
            "counter '"
                + name
                + "' of size "
                + counter.getSize()
                + " is "
                + (found == null ? "missing" : "of size " + found.size())
                + " in the device config");
      }
      int id = counter.getPreamble().getId();
      counters.put(id, new CounterBinding(id, name, program.state().counters().get(found.index())));
    }
    return counters;
  }

  /** The table with an id. */
  TableBinding table(int id) throws RpcException {
    TableBinding table = tables.get(id);
    if (table == null) {
      throw RpcException.invalid("there is no table with id " + id);
    }
    return table;
  }

  /** The indirect counter with an id. */
  CounterBinding counter(int id) throws RpcException {
    CounterBinding counter = counters.get(id);
    if (counter == null) {
      throw RpcException.invalid("there is no indirect counter with id " + id);
    }
    return counter;
  }
}
