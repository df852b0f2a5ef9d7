package net.sluice.pipeconf;

import net.sluice.intents.plan.SwitchEntry;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** Entries of one table to P4Runtime and back; the parts every table shares are done here. */
abstract class TableCodec<E extends SwitchEntry> {
  private final int tableId;
  private final int size;
  private final int priority;
  private final Class<E> type;

  /**
   * @param priority of every entry; 0 in tables without range or ternary matches, which have none
   */
  TableCodec(int tableId, int size, int priority, Class<E> type) {
    this.tableId = tableId;
    this.size = size;
    this.priority = priority;
    this.type = type;
  }

  int tableId() {
    return tableId;
  }

  int size() {
    return size;
  }

  TableEntry encode(SwitchEntry entry) {
    E cast = type.cast(entry);
    TableEntry.Builder encoded = key(cast);
    encoded.getActionBuilder().setAction(action(cast));
    return encoded.build();
  }

  TableEntry encodeKey(SwitchEntry entry) {
    return key(type.cast(entry)).build();
  }

  E decode(TableEntry entry) {
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
    return read(entry, entry.getAction().getAction());
  }

  private TableEntry.Builder key(E entry) {
    TableEntry.Builder key = TableEntry.newBuilder().setTableId(tableId).setPriority(priority);
    match(entry, key);
    return key;
  }

  /** Adds the fields of the match. */
  abstract void match(E entry, TableEntry.Builder into);

  /** The action with its parameters. */
  abstract Action action(E entry);

  /** The inverse of {@link #match} and {@link #action}. */
  abstract E read(TableEntry entry, Action action);

  static void requireFields(TableEntry entry, int count) {
    if (entry.getMatchCount() != count) {
      throw new MalformedEntryException(
          "it matches " + entry.getMatchCount() + " fields instead of " + count);
    }
  }

  static void requireAction(Action action, int id, int params) {
    if (action.getActionId() != id) {
      throw new MalformedEntryException("its action " + action.getActionId() + " is not " + id);
    }
    requireParams(action, params);
  }

  static void requireParams(Action action, int params) {
    if (action.getParamsCount() != params) {
      throw new MalformedEntryException(
          "its action has " + action.getParamsCount() + " parameters instead of " + params);
    }
  }
}
