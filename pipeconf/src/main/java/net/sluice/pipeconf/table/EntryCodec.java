package net.sluice.pipeconf.table;

import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.SwitchEntry.MirrorEntry;
import net.sluice.intents.plan.SwitchWrite;
import net.sluice.intents.plan.Table;
import net.sluice.pipeconf.p4info.SluiceProgram;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * Entries of one program in domain words to P4Runtime (specification 1.3) and back; thread-safe.
 * All but {@link Table#MIRROR} is tables' entries.
 *
 * <p>Values are canonical byte strings: no leading zero octets, one zero octet for 0. A match that
 * matches everything is left out. Only tables with a range match have a priority. {@code
 * decode(encode(e))} is {@code e}.
 */
public final class EntryCodec {
  private final Map<Table, TableCodec<?>> byTable = new EnumMap<>(Table.class);
  private final Map<Integer, TableCodec<?>> byId = new HashMap<>();

  /** Entries with the program's numbers. */
  public EntryCodec(SluiceProgram program) {
    for (Table table : Table.values()) {
      if (table == Table.MIRROR) {
        continue;
      }
      TableCodec<?> codec = codec(program, table);
      byTable.put(table, codec);
      byId.put(codec.tableId(), codec);
    }
  }

  private static TableCodec<?> codec(SluiceProgram program, Table table) {
    return switch (table) {
      case IPV4_PREFIX -> SubscriberRateCodec.of(program.subscriberRate4());
      case IPV6_PREFIX -> SubscriberRateCodec.of(program.subscriberRate6());
      case VLAN -> new SubscriberVlanCodec(program.subscriberVlan());
      case ENCAPSULATION -> new SubscriberEncapCodec(program.subscriberEncap());
      case POLICY_VALUE -> new PolicyFunctionCodec(program.policyFunction());
      case RATE_BIN -> new RateIndexCodec(program.rateIndex());
      case RANDOM_RATE -> new RandomRateEstimCodec(program.randomRateEstim());
      case PORT_ROLE -> new PortRoleCodec(program.portRole());
      case SIDECAR -> new ShapingSidecarCodec(program.shapingSidecar());
      case IPV4_ROUTE -> RoutingCodec.of(program.routing4());
      case IPV6_ROUTE -> RoutingCodec.of(program.routing6());
      case CONGESTION_THRESHOLD -> new CongestionThresholdCodec(program.congestionThreshold());
      case QUEUE_AQM -> new QueueAqmCodec(program.queueAqm());
      case MIRROR -> throw new IllegalArgumentException("no table: " + table);
      case EGRESS_PORT -> new EgressPortCodec(program.egressPort());
    };
  }

  /** The tables of the program: all of {@link Table} but {@link Table#MIRROR}. */
  public Set<Table> tables() {
    return Collections.unmodifiableSet(byTable.keySet());
  }

  /**
   * The whole entry of a table.
   *
   * @throws InvalidValueException if a component does not fit its field; nothing is truncated
   */
  public TableEntry encode(SwitchEntry entry) {
    return byTable.get(entry.table()).encode(entry);
  }

  /**
   * The entry's match and priority only, which is what deletes and reads of one entry take.
   *
   * @throws InvalidValueException if a component of the match does not fit its field
   */
  public TableEntry encodeKey(SwitchEntry entry) {
    return byTable.get(entry.table()).encodeKey(entry);
  }

  /** The entry, or what is wrong with it; never throws for anything a switch can answer. */
  public DecodedEntry decode(TableEntry entry) {
    return decode(entity(entry));
  }

  /** As above, of anything that answers {@link #readAll}. */
  public DecodedEntry decode(Entity entity) {
    if (entity.hasPacketReplicationEngineEntry()) {
      return MirrorCodec.decode(entity);
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

  /** P4Runtime's number of {@code table}. */
  public int tableId(Table table) {
    return byTable.get(table).tableId();
  }

  /** The update that does {@code op}; a delete carries the match only. */
  public Update update(Op op, SwitchEntry entry) {
    Entity encoded;
    if (entry instanceof MirrorEntry mirror) {
      encoded = op == Op.DELETE ? MirrorCodec.encodeKey() : MirrorCodec.encode(mirror);
    } else {
      encoded = entity(op == Op.DELETE ? encodeKey(entry) : encode(entry));
    }
    return Update.newBuilder().setType(type(op)).setEntity(encoded).build();
  }

  private static Entity entity(TableEntry entry) {
    return Entity.newBuilder().setTableEntry(entry).build();
  }

  /** The update of a planned write. */
  public Update update(SwitchWrite write) {
    return update(write.op(), write.entry());
  }

  /** A read request's entity for all entries of {@code table}. */
  public Entity readAll(Table table) {
    if (table == Table.MIRROR) {
      return MirrorCodec.readAll();
    }
    return Entity.newBuilder()
        .setTableEntry(TableEntry.newBuilder().setTableId(tableId(table)))
        .build();
  }

  /** A read request's entity for the one entry with the match of {@code entry}. */
  public Entity readOne(SwitchEntry entry) {
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
