package net.sluice.pipeconf.table;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.Write;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.p4info.ProgramDescriptor;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * Entries of one program in domain words to P4Runtime (specification 1.3) and back; thread-safe.
 * All but {@link Table#MIRROR} is tables' entries.
 *
 * <p>Values are canonical byte strings: no leading zero octets, one zero octet for 0. A match that
 * matches everything is left out. Only tables with a range or ternary match have a priority. {@code
 * decode(encode(e))} is {@code e}.
 */
public final class EntryCodec {
  /** Those of a kind, in the order of their numbers; none if the program lacks the kind. */
  private final Map<Table, List<TableCodec<?>>> byTable;

  private final Map<Integer, TableCodec<?>> byId = new HashMap<>();
  private final MirrorCodec mirror;

  /**
   * Entries with a program's numbers.
   *
   * @param markers how it divides subscribers
   */
  public EntryCodec(ProgramDescriptor program, MarkerLayout markers) {
    byTable = TableBindings.of(program, markers);
    mirror = new MirrorCodec(program);
    byTable.values().forEach(codecs -> codecs.forEach(codec -> byId.put(codec.tableId(), codec)));
  }

  /** The tables of the program: those it has of {@link Table}, without {@link Table#MIRROR}. */
  public Set<Table> tables() {
    return Collections.unmodifiableSet(byTable.keySet());
  }

  private TableCodec<?> codec(SwitchEntry entry) {
    List<TableCodec<?>> codecs = byTable.getOrDefault(entry.table(), List.of());
    if (codecs.isEmpty()) {
      throw new InvalidValueException("table", entry.table(), "a table of the program");
    }
    if (codecs.size() == 1) {
      return codecs.get(0);
    }
    int number = entry.tableNumber().orElse(-1);
    if (number < 0 || number >= codecs.size()) {
      throw new InvalidValueException(
          "table number of " + entry.table(), number, "0 to " + (codecs.size() - 1));
    }
    return codecs.get(number);
  }

  /**
   * The whole entry of a table.
   *
   * @throws InvalidValueException if a component does not fit its field, nothing is truncated, or
   *     the program has no such table
   */
  public TableEntry encode(SwitchEntry entry) {
    return codec(entry).encode(entry);
  }

  /**
   * The entry's match and priority only, which is what deletes and reads of one entry take.
   *
   * @throws InvalidValueException if a component of the match does not fit its field, or the
   *     program has no such table
   */
  public TableEntry encodeKey(SwitchEntry entry) {
    return codec(entry).encodeKey(entry);
  }

  /** The entry, or what is wrong with it; never throws for anything a switch can answer. */
  public DecodedEntry decode(TableEntry entry) {
    return decode(entity(entry));
  }

  /** As above, of anything that answers {@link #readAll}. */
  public DecodedEntry decode(Entity entity) {
    if (entity.hasPacketReplicationEngineEntry()) {
      return mirror.decode(entity);
    }
    TableCodec<?> codec = byId.get(entity.getTableEntry().getTableId());
    if (codec == null) {
      return new DecodedEntry.Foreign(entity);
    }
    try {
      return new DecodedEntry.Known(codec.decode(entity.getTableEntry()));
    } catch (MalformedEntryException e) {
      return new DecodedEntry.Malformed(entity, e.getMessage());
    }
  }

  /** P4Runtime's numbers of the tables of a kind; none if the program has no such table. */
  public List<Integer> tableIds(Table table) {
    return byTable.getOrDefault(table, List.of()).stream()
        .<Integer>map(TableCodec::tableId)
        .toList();
  }

  /** Entries that the tables of a kind have room for in the program, all together. */
  public int size(Table table) {
    return byTable.getOrDefault(table, List.of()).stream().mapToInt(TableCodec::size).sum();
  }

  /** The update that does {@code op}; a delete carries the match only. */
  public Update update(Op op, SwitchEntry entry) {
    Entity encoded;
    if (entry.table() == Table.MIRROR) {
      encoded = op == Op.DELETE ? MirrorCodec.encodeKey() : mirror.encode(entry);
    } else {
      encoded = entity(op == Op.DELETE ? encodeKey(entry) : encode(entry));
    }
    return Update.newBuilder().setType(type(op)).setEntity(encoded).build();
  }

  private static Entity entity(TableEntry entry) {
    return Entity.newBuilder().setTableEntry(entry).build();
  }

  /** The update of a planned write. */
  public Update update(Write<SwitchEntry> write) {
    return update(write.op(), write.entity());
  }

  /** A read request's entities for all entries of the tables of a kind. */
  public List<Entity> readAll(Table table) {
    if (table == Table.MIRROR) {
      return List.of(MirrorCodec.readAll());
    }
    return byTable.getOrDefault(table, List.of()).stream()
        .map(codec -> entity(codec.readAll()))
        .toList();
  }

  /** A read request's entity for the one entry with the match of {@code entry}. */
  public Entity readOne(SwitchEntry entry) {
    return entity(codec(entry).readOne(entry));
  }

  private static Update.Type type(Op op) {
    return switch (op) {
      case INSERT -> Update.Type.INSERT;
      case MODIFY -> Update.Type.MODIFY;
      case DELETE -> Update.Type.DELETE;
    };
  }
}
