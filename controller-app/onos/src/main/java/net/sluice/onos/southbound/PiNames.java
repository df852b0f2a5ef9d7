package net.sluice.onos.southbound;

import java.util.HashMap;
import java.util.Map;
import net.sluice.intents.model.InvalidValueException;
import org.onosproject.net.pi.model.PiActionId;
import org.onosproject.net.pi.model.PiActionParamId;
import org.onosproject.net.pi.model.PiCounterId;
import org.onosproject.net.pi.model.PiMatchFieldId;
import org.onosproject.net.pi.model.PiTableId;
import p4.config.v1.P4InfoOuterClass;
import p4.config.v1.P4InfoOuterClass.P4Info;

/** ONOS calls by name what P4Runtime calls by number: both ways, with widths, from P4Info. */
final class PiNames {
  private final Map<Integer, TableNames> tables = new HashMap<>();
  private final Map<PiTableId, TableNames> tablesByName = new HashMap<>();
  private final Map<Integer, ActionNames> actions = new HashMap<>();
  private final Map<PiActionId, ActionNames> actionsByName = new HashMap<>();
  private final Map<Integer, PiCounterId> counters = new HashMap<>();
  private final Map<PiCounterId, Integer> countersByName = new HashMap<>();

  /** A field or parameter: number, width, and name. */
  record Value<N>(int id, int bits, N name) {}

  /** A table with its fields. */
  static final class TableNames {
    final int id;
    final PiTableId name;
    private final Map<Integer, Value<PiMatchFieldId>> fields = new HashMap<>();
    private final Map<PiMatchFieldId, Value<PiMatchFieldId>> fieldsByName = new HashMap<>();
    private Value<PiMatchFieldId> onlyPrefix;

    private TableNames(P4InfoOuterClass.Table table) {
      id = table.getPreamble().getId();
      name = PiTableId.of(table.getPreamble().getName());
      for (P4InfoOuterClass.MatchField field : table.getMatchFieldsList()) {
        Value<PiMatchFieldId> value =
            new Value<>(field.getId(), field.getBitwidth(), PiMatchFieldId.of(field.getName()));
        fields.put(value.id(), value);
        fieldsByName.put(value.name(), value);
        if (table.getMatchFieldsCount() == 1
            && field.getMatchType() == P4InfoOuterClass.MatchField.MatchType.LPM) {
          onlyPrefix = value;
        }
      }
    }

    Value<PiMatchFieldId> field(int fieldId) {
      return found(fields, "match field of " + name, fieldId);
    }

    Value<PiMatchFieldId> field(PiMatchFieldId fieldName) {
      return found(fieldsByName, "match field of " + name, fieldName);
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
    private final Map<Integer, Value<PiActionParamId>> params = new HashMap<>();
    private final Map<PiActionParamId, Value<PiActionParamId>> paramsByName = new HashMap<>();

    private ActionNames(P4InfoOuterClass.Action action) {
      id = action.getPreamble().getId();
      name = PiActionId.of(action.getPreamble().getName());
      for (P4InfoOuterClass.Action.Param param : action.getParamsList()) {
        Value<PiActionParamId> value =
            new Value<>(param.getId(), param.getBitwidth(), PiActionParamId.of(param.getName()));
        params.put(value.id(), value);
        paramsByName.put(value.name(), value);
      }
    }

    Value<PiActionParamId> param(int paramId) {
      return found(params, "parameter of " + name, paramId);
    }

    Value<PiActionParamId> param(PiActionParamId paramName) {
      return found(paramsByName, "parameter of " + name, paramName);
    }
  }

  PiNames(P4Info p4Info) {
    p4Info
        .getTablesList()
        .forEach(
            table -> {
              TableNames names = new TableNames(table);
              tables.put(names.id, names);
              tablesByName.put(names.name, names);
            });
    p4Info
        .getActionsList()
        .forEach(
            action -> {
              ActionNames names = new ActionNames(action);
              actions.put(names.id, names);
              actionsByName.put(names.name, names);
            });
    p4Info
        .getCountersList()
        .forEach(
            counter -> {
              PiCounterId name = PiCounterId.of(counter.getPreamble().getName());
              counters.put(counter.getPreamble().getId(), name);
              countersByName.put(name, counter.getPreamble().getId());
            });
  }

  TableNames table(int id) {
    return found(tables, "table", id);
  }

  TableNames table(PiTableId name) {
    return found(tablesByName, "table", name);
  }

  ActionNames action(int id) {
    return found(actions, "action", id);
  }

  ActionNames action(PiActionId name) {
    return found(actionsByName, "action", name);
  }

  PiCounterId counter(int id) {
    return found(counters, "counter", id);
  }

  int counter(PiCounterId name) {
    return found(countersByName, "counter", name);
  }

  private static <K, V> V found(Map<K, V> map, String kind, K key) {
    V value = map.get(key);
    if (value == null) {
      throw new InvalidValueException(kind, key, "what the program's P4Info has");
    }
    return value;
  }
}
