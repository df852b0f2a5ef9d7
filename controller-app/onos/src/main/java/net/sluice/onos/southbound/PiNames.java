package net.sluice.onos.southbound;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.pipeconf.p4info.ActionDescriptor;
import net.sluice.pipeconf.p4info.CounterDescriptor;
import net.sluice.pipeconf.p4info.MatchField;
import net.sluice.pipeconf.p4info.ParamDescriptor;
import net.sluice.pipeconf.p4info.ProgramDescriptor;
import net.sluice.pipeconf.p4info.TableDescriptor;
import org.onosproject.net.pi.model.PiActionId;
import org.onosproject.net.pi.model.PiActionParamId;
import org.onosproject.net.pi.model.PiCounterId;
import org.onosproject.net.pi.model.PiMatchFieldId;
import org.onosproject.net.pi.model.PiTableId;

/**
 * Numbers by which P4Runtime identifies things and names by which ONOS does: both ways, with
 * widths.
 */
final class PiNames {
  private final Index<PiTableId, TableNames> tables = new Index<>("table");
  private final Index<PiActionId, ActionNames> actions = new Index<>("action");
  private final Index<PiCounterId, Value<PiCounterId>> counters = new Index<>("counter");

  /** A field, parameter or counter: number, width (0 of a counter), and name. */
  record Value<N>(int id, int bits, N name) {}

  /** A table with its fields. */
  static final class TableNames {
    final int id;
    final PiTableId name;
    private final Index<PiMatchFieldId, Value<PiMatchFieldId>> fields;
    private final Value<PiMatchFieldId> onlyPrefix;

    private TableNames(TableDescriptor table) {
      id = table.id();
      name = PiTableId.of(table.name());
      fields = new Index<>("match field of " + name);
      for (MatchField field : table.matchFields()) {
        PiMatchFieldId fieldName = PiMatchFieldId.of(field.name());
        fields.put(field.id(), fieldName, new Value<>(field.id(), field.bits(), fieldName));
      }
      List<MatchField> all = table.matchFields();
      onlyPrefix =
          all.size() == 1 && all.get(0) instanceof MatchField.Lpm prefix
              ? field(prefix.id())
              : null;
    }

    Value<PiMatchFieldId> field(int fieldId) {
      return fields.get(fieldId);
    }

    Value<PiMatchFieldId> field(PiMatchFieldId fieldName) {
      return fields.get(fieldName);
    }

    /** The table's field if that is all it has and it matches by prefix; null otherwise. */
    Value<PiMatchFieldId> onlyPrefix() {
      return onlyPrefix;
    }
  }

  /** An action with its parameters. */
  static final class ActionNames {
    final int id;
    final PiActionId name;
    private final Index<PiActionParamId, Value<PiActionParamId>> params;

    private ActionNames(ActionDescriptor action) {
      id = action.id();
      name = PiActionId.of(action.name());
      params = new Index<>("parameter of " + name);
      for (ParamDescriptor param : action.params()) {
        PiActionParamId paramName = PiActionParamId.of(param.name());
        params.put(param.id(), paramName, new Value<>(param.id(), param.bits(), paramName));
      }
    }

    Value<PiActionParamId> param(int paramId) {
      return params.get(paramId);
    }

    Value<PiActionParamId> param(PiActionParamId paramName) {
      return params.get(paramName);
    }
  }

  /** Things of one kind by number and by name. */
  private static final class Index<N, T> {
    private final String kind;
    private final Map<Integer, T> byId = new HashMap<>();
    private final Map<N, T> byName = new HashMap<>();

    Index(String kind) {
      this.kind = kind;
    }

    void put(int id, N name, T thing) {
      byId.put(id, thing);
      byName.put(name, thing);
    }

    T get(int id) {
      return found(byId.get(id), id);
    }

    T get(N name) {
      return found(byName.get(name), name);
    }

    private T found(T thing, Object key) {
      if (thing == null) {
        throw new InvalidValueException(kind, key, "what the program's P4Info has");
      }
      return thing;
    }
  }

  PiNames(ProgramDescriptor program) {
    for (TableDescriptor table : program.tables()) {
      TableNames names = new TableNames(table);
      tables.put(names.id, names.name, names);
      for (ActionDescriptor action : table.actions()) {
        ActionNames of = new ActionNames(action);
        actions.put(of.id, of.name, of);
      }
    }
    for (CounterDescriptor counter : program.counters()) {
      PiCounterId name = PiCounterId.of(counter.name());
      counters.put(counter.id(), name, new Value<>(counter.id(), 0, name));
    }
  }

  TableNames table(int id) {
    return tables.get(id);
  }

  TableNames table(PiTableId name) {
    return tables.get(name);
  }

  ActionNames action(int id) {
    return actions.get(id);
  }

  ActionNames action(PiActionId name) {
    return actions.get(name);
  }

  PiCounterId counter(int id) {
    return counters.get(id).name();
  }

  int counter(PiCounterId name) {
    return counters.get(name).id();
  }
}
