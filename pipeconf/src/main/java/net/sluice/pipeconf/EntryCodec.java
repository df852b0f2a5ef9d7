package net.sluice.pipeconf;

import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.SwitchWrite;
import net.sluice.intents.plan.Table;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * Table entries in domain words to P4Runtime (specification 1.3) and back.
 *
 * <p>Values are canonical byte strings: no leading zero octets, one zero octet for 0. A match that
 * matches everything is left out. Only tables with a range match have a priority. {@code
 * decode(encode(e))} is {@code e}.
 */
public interface EntryCodec {
  /**
   * The whole entry.
   *
   * @throws InvalidValueException if a component does not fit its field; nothing is truncated
   */
  TableEntry encode(SwitchEntry entry);

  /**
   * The entry's match and priority only, which is what deletes and reads of one entry take.
   *
   * @throws InvalidValueException if a component of the match does not fit its field
   */
  TableEntry encodeKey(SwitchEntry entry);

  /** The entry, or what is wrong with it; never throws for anything a switch can answer. */
  DecodedEntry decode(TableEntry entry);

  /** P4Runtime's number of {@code table}. */
  int tableId(Table table);

  /** Entries of {@code table} the program has room for. */
  int tableSize(Table table);

  /** The update that does {@code op}; a delete carries the match only. */
  default Update update(Op op, SwitchEntry entry) {
    TableEntry encoded = op == Op.DELETE ? encodeKey(entry) : encode(entry);
    return Update.newBuilder()
        .setType(type(op))
        .setEntity(Entity.newBuilder().setTableEntry(encoded))
        .build();
  }

  /** The update of a planned write. */
  default Update update(SwitchWrite write) {
    return update(write.op(), write.entry());
  }

  /** A read request's entity for all entries of {@code table}. */
  default Entity readAll(Table table) {
    return Entity.newBuilder()
        .setTableEntry(TableEntry.newBuilder().setTableId(tableId(table)))
        .build();
  }

  /** A read request's entity for the one entry with the match of {@code entry}. */
  default Entity readOne(SwitchEntry entry) {
    return Entity.newBuilder().setTableEntry(encodeKey(entry)).build();
  }

  private static Update.Type type(Op op) {
    return switch (op) {
      case INSERT -> Update.Type.INSERT;
      case MODIFY -> Update.Type.MODIFY;
      case DELETE -> Update.Type.DELETE;
    };
  }
}
