package net.sluice.pipeconf.table;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.pipeconf.p4info.ActionDescriptor;
import net.sluice.pipeconf.p4info.MatchField;
import net.sluice.pipeconf.p4info.TableDescriptor;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** Entries of one table to P4Runtime and back; the parts every table shares are done here. */
abstract class TableCodec<E extends SwitchEntry> {
  /**
   * Of entries in tables with range or ternary matches; no two entries match the same, so that one
   * serves for all.
   */
  private static final int ONLY_PRIORITY = 1;

  private final int tableId;
  private final int size;
  private final int priority;
  private final int leastFields;
  private final int mostFields;
  private final Map<Integer, Integer> paramsByAction = new HashMap<>();
  private final Class<E> type;

  TableCodec(TableDescriptor table, Class<E> type) {
    List<MatchField> fields = table.matchFields();
    this.tableId = table.id();
    this.size = table.size();
    boolean ordered =
        fields.stream()
            .anyMatch(f -> f instanceof MatchField.Range || f instanceof MatchField.Ternary);
    this.priority = ordered ? ONLY_PRIORITY : 0;
    this.leastFields = (int) fields.stream().filter(MatchField.Exact.class::isInstance).count();
    this.mostFields = fields.size();
    for (ActionDescriptor action : table.actions()) {
      paramsByAction.put(action.id(), action.params().size());
    }
    this.type = type;
  }

  final int tableId() {
    return tableId;
  }

  /** Entries the program has room for. */
  final int size() {
    return size;
  }

  final TableEntry encode(SwitchEntry entry) {
    E cast = type.cast(entry);
    TableEntry.Builder encoded = key(cast);
    encoded.getActionBuilder().setAction(action(cast));
    attach(cast, encoded);
    return encoded.build();
  }

  final TableEntry encodeKey(SwitchEntry entry) {
    return key(type.cast(entry)).build();
  }

  /** A read request's entry for all of the table. */
  final TableEntry readAll() {
    return request(TableEntry.newBuilder().setTableId(tableId));
  }

  /** A read request's entry for the one with the match of {@code entry}. */
  final TableEntry readOne(SwitchEntry entry) {
    return request(key(type.cast(entry)));
  }

  private TableEntry.Builder key(E entry) {
    TableEntry.Builder key = TableEntry.newBuilder().setTableId(tableId).setPriority(priority);
    match(entry, key);
    return key;
  }

  final E decode(TableEntry entry) {
    if (entry.getIsDefaultAction()) {
      throw new MalformedEntryException("it is a default action");
    }
    if (entry.getPriority() != priority) {
      throw new MalformedEntryException(
          "its priority is " + entry.getPriority() + " instead of " + priority);
    }
    if (!entry.getAction().hasAction()) {
      throw new MalformedEntryException("it has no action");
    }
    if (entry.getMatchCount() < leastFields || entry.getMatchCount() > mostFields) {
      throw new MalformedEntryException(
          "it matches " + entry.getMatchCount() + " fields instead of " + mostFields);
    }
    Action action = entry.getAction().getAction();
    requireKnown(action);
    return read(entry, action);
  }

  private void requireKnown(Action action) {
    Integer params = paramsByAction.get(action.getActionId());
    if (params == null) {
      throw new MalformedEntryException(
          "its action "
              + action.getActionId()
              + " is not "
              + paramsByAction.keySet().stream()
                  .sorted()
                  .map(String::valueOf)
                  .collect(Collectors.joining(" or ")));
    }
    if (action.getParamsCount() != params) {
      throw new MalformedEntryException(
          "its action has " + action.getParamsCount() + " parameters instead of " + params);
    }
  }

  /** Adds the fields of the match. */
  abstract void match(E entry, TableEntry.Builder into);

  /** The action with its parameters. */
  abstract Action action(E entry);

  /** Adds what goes with the entry beside its action. */
  void attach(E entry, TableEntry.Builder into) {}

  /** Completes a read request by what of that is asked for. */
  TableEntry request(TableEntry.Builder entry) {
    return entry.build();
  }

  /**
   * The inverse of {@link #match}, {@link #action} and {@link #attach}; the number of match fields
   * and the action are already known to be the table's.
   */
  abstract E read(TableEntry entry, Action action);

  static Action action(ActionDescriptor action, Action.Param... params) {
    Action.Builder builder = Action.newBuilder().setActionId(action.id());
    for (Action.Param param : params) {
      builder.addParams(param);
    }
    return builder.build();
  }
}
