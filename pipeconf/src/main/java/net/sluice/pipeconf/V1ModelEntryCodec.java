package net.sluice.pipeconf;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** Entries of the v1model program. */
final class V1ModelEntryCodec implements EntryCodec {
  private final Map<Table, TableCodec<?>> byTable = new EnumMap<>(Table.class);
  private final Map<Integer, TableCodec<?>> byId = new HashMap<>();

  V1ModelEntryCodec() {
    for (Table table : Table.values()) {
      TableCodec<?> codec = create(table);
      byTable.put(table, codec);
      byId.put(codec.tableId(), codec);
    }
  }

  private static TableCodec<?> create(Table table) {
    return switch (table) {
      case IPV4_PREFIX -> SubscriberTables.ByPrefix.v4();
      case IPV6_PREFIX -> SubscriberTables.ByPrefix.v6();
      case VLAN -> new SubscriberTables.ByVlan();
      case ENCAPSULATION -> new SubscriberTables.Encapsulation();
      case POLICY_VALUE -> new MarkerTables.PolicyValue();
      case RATE_BIN -> new MarkerTables.RateBin();
      case RANDOM_RATE -> new MarkerTables.RandomRate();
      case PORT_ROLE -> new PortTables.Role();
      case SIDECAR -> new PortTables.Sidecar();
      case IPV4_ROUTE -> PortTables.Route.v4();
      case IPV6_ROUTE -> PortTables.Route.v6();
      case CONGESTION_THRESHOLD -> new PortTables.CongestionThreshold();
      case EGRESS_PORT -> new PortTables.Egress();
    };
  }

  @Override
  public TableEntry encode(SwitchEntry entry) {
    return byTable.get(entry.table()).encode(entry);
  }

  @Override
  public TableEntry encodeKey(SwitchEntry entry) {
    return byTable.get(entry.table()).encodeKey(entry);
  }

  @Override
  public DecodedEntry decode(TableEntry entry) {
    TableCodec<?> codec = byId.get(entry.getTableId());
    if (codec == null) {
      return new DecodedEntry.Foreign(entry);
    }
    try {
      return new DecodedEntry.Known(codec.decode(entry));
    } catch (MalformedEntryException e) {
      return new DecodedEntry.Malformed(entry, e.getMessage());
    }
  }

  @Override
  public int tableId(Table table) {
    return byTable.get(table).tableId();
  }

  @Override
  public int tableSize(Table table) {
    return byTable.get(table).size();
  }
}
