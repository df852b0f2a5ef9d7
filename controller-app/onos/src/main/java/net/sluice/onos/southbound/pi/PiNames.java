package net.sluice.onos.southbound.pi;

import java.util.HashMap;
import java.util.Map;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.p4info.ActionDescriptor;
import net.sluice.pipeconf.p4info.CounterDescriptor;
import net.sluice.pipeconf.p4info.MatchField;
import net.sluice.pipeconf.p4info.ParamDescriptor;
import net.sluice.pipeconf.p4info.ProgramDescriptor;
import net.sluice.pipeconf.p4info.TableDescriptor;

/** Tables, actions and counters of a program by P4Runtime's numbers and by ONOS's names. */
final class PiNames {
  final Index<TableDescriptor> tables = new Index<>("table");
  final Index<ActionDescriptor> actions = new Index<>("action");
  final Index<CounterDescriptor> counters = new Index<>("counter");
  private final Map<TableDescriptor, Index<MatchField>> fields = new HashMap<>();
  private final Map<ActionDescriptor, Index<ParamDescriptor>> params = new HashMap<>();

  /** Things of one kind by number and by name. */
  static final class Index<T> {
    private final String kind;
    private final Map<Object, T> known = new HashMap<>();

    private Index(String kind) {
      this.kind = kind;
    }

    private void put(int id, String name, T thing) {
      known.put(id, thing);
      known.put(name, thing);
    }

    /**
     * The thing of a number or a name.
     *
     * @throws InvalidValueException if the program has none
     */
    T get(Object idOrName) {
      T thing = known.get(idOrName);
      if (thing == null) {
        throw new InvalidValueException(kind, idOrName, "what the program's P4Info has");
      }
      return thing;
    }
  }

  PiNames(ProgramDescriptor program) {
    for (TableDescriptor table : program.tables()) {
      tables.put(table.id(), table.name(), table);
      Index<MatchField> ofTable = new Index<>("match field of " + table.name());
      table.matchFields().forEach(field -> ofTable.put(field.id(), field.name(), field));
      fields.put(table, ofTable);
      for (ActionDescriptor action : table.actions()) {
        actions.put(action.id(), action.name(), action);
        Index<ParamDescriptor> ofAction = new Index<>("parameter of " + action.name());
        action.params().forEach(param -> ofAction.put(param.id(), param.name(), param));
        params.put(action, ofAction);
      }
    }
    for (CounterDescriptor counter : program.counters()) {
      counters.put(counter.id(), counter.name(), counter);
    }
  }

  /** The match fields of a table. */
  Index<MatchField> fields(TableDescriptor table) {
    return fields.get(table);
  }

  /** The parameters of an action. */
  Index<ParamDescriptor> params(ActionDescriptor action) {
    return params.get(action);
  }
}
