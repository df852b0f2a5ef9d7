package net.sluice.pipeconf.table;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import net.sluice.intents.plan.Table;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.pipeconf.p4info.AggregateTable;
import net.sluice.pipeconf.p4info.CongestionThresholdTable;
import net.sluice.pipeconf.p4info.DirectionPolicyTable;
import net.sluice.pipeconf.p4info.EgressPortTable;
import net.sluice.pipeconf.p4info.FlowWeightTable;
import net.sluice.pipeconf.p4info.GateTableTable;
import net.sluice.pipeconf.p4info.LoopPortTable;
import net.sluice.pipeconf.p4info.PolicyFunctionTable;
import net.sluice.pipeconf.p4info.PortLimiterTable;
import net.sluice.pipeconf.p4info.PortMeterTable;
import net.sluice.pipeconf.p4info.PortRoleTable;
import net.sluice.pipeconf.p4info.ProgramDescriptor;
import net.sluice.pipeconf.p4info.QueueAqmTable;
import net.sluice.pipeconf.p4info.QueueRioTable;
import net.sluice.pipeconf.p4info.RandomRateEstimTable;
import net.sluice.pipeconf.p4info.RateIndexTable;
import net.sluice.pipeconf.p4info.RateLimiterTable;
import net.sluice.pipeconf.p4info.Routing4Table;
import net.sluice.pipeconf.p4info.Routing6Table;
import net.sluice.pipeconf.p4info.ShapingSidecarTable;
import net.sluice.pipeconf.p4info.SubscriberEncapTable;
import net.sluice.pipeconf.p4info.SubscriberMeterTable;
import net.sluice.pipeconf.p4info.SubscriberRate4Table;
import net.sluice.pipeconf.p4info.SubscriberRate6Table;
import net.sluice.pipeconf.p4info.SubscriberServiceVlanTable;
import net.sluice.pipeconf.p4info.SubscriberVlanTable;
import net.sluice.pipeconf.p4info.TableDescriptor;
import net.sluice.pipeconf.p4info.TnaEgressPortTable;
import net.sluice.pipeconf.p4info.TnaPortRoleTable;
import net.sluice.pipeconf.p4info.TnaRateIndexTable;
import net.sluice.pipeconf.p4info.TnaSubscriberEncapTable;
import net.sluice.pipeconf.p4info.TnaSubscriberRate4Table;
import net.sluice.pipeconf.p4info.TnaSubscriberRate6Table;
import net.sluice.pipeconf.p4info.TnaSubscriberVlanTable;
import net.sluice.pipeconf.p4info.TrafficClassTable;
import net.sluice.pipeconf.p4info.TreeLimiterTable;
import net.sluice.pipeconf.p4info.TreeMeterTable;

/** The codec of each table that a program may have. A new table of a P4Info needs one here. */
final class CodecRegistry {
  private static final Map<Class<?>, Registered<?>> CODECS = new HashMap<>();

  private CodecRegistry() {}

  /**
   * Makes the codec of a table.
   *
   * @param <D> the table's descriptor
   */
  private interface Factory<D extends TableDescriptor> {
    /** {@code number}: which of the program's tables of that type, from 0. */
    TableCodec<?> codec(D descriptor, int number, MarkerLayout markers);
  }

  private record Registered<D extends TableDescriptor>(
      Class<D> type, Table table, Factory<D> factory) {
    TableCodec<?> codec(TableDescriptor descriptor, int number, MarkerLayout markers) {
      return factory.codec(type.cast(descriptor), number, markers);
    }
  }

  private static <D extends TableDescriptor> void add(
      Table table, Class<D> type, Factory<D> factory) {
    CODECS.put(type, new Registered<>(type, table, factory));
  }

  private static <D extends TableDescriptor> void add(
      Table table, Class<D> type, Function<D, TableCodec<?>> codec) {
    add(table, type, (descriptor, number, markers) -> codec.apply(descriptor));
  }

  static {
    add(Table.IPV4_PREFIX, SubscriberRate4Table.class, t -> SubscriberRateCodec.of(t));
    add(
        Table.IPV4_PREFIX,
        TnaSubscriberRate4Table.class,
        (t, i, m) -> SubscriberRateCodec.of(t, i, m));
    add(Table.IPV6_PREFIX, SubscriberRate6Table.class, t -> SubscriberRateCodec.of(t));
    add(
        Table.IPV6_PREFIX,
        TnaSubscriberRate6Table.class,
        (t, i, m) -> SubscriberRateCodec.of(t, i, m));
    add(Table.VLAN, SubscriberVlanTable.class, t -> SubscriberVlanCodec.of(t));
    add(Table.VLAN, TnaSubscriberVlanTable.class, (t, i, m) -> SubscriberVlanCodec.of(t, m));
    add(
        Table.SERVICE_VLAN,
        SubscriberServiceVlanTable.class,
        t -> new SubscriberServiceVlanCodec(t));
    add(Table.ENCAPSULATION, SubscriberEncapTable.class, t -> SubscriberEncapCodec.of(t));
    add(
        Table.ENCAPSULATION,
        TnaSubscriberEncapTable.class,
        (t, i, m) -> SubscriberEncapCodec.of(t, m));
    add(Table.DIRECTION_POLICY, DirectionPolicyTable.class, t -> new DirectionPolicyCodec(t));
    add(Table.POLICY_VALUE, PolicyFunctionTable.class, t -> new PolicyFunctionCodec(t));
    add(Table.RATE_BIN, RateIndexTable.class, t -> RateIndexCodec.of(t));
    add(Table.RATE_BIN, TnaRateIndexTable.class, t -> RateIndexCodec.of(t));
    add(Table.RANDOM_RATE, RandomRateEstimTable.class, t -> new RandomRateEstimCodec(t));
    add(Table.PORT_ROLE, PortRoleTable.class, t -> PortRoleCodec.of(t));
    add(Table.PORT_ROLE, TnaPortRoleTable.class, t -> PortRoleCodec.of(t));
    add(Table.SIDECAR, ShapingSidecarTable.class, t -> new ShapingSidecarCodec(t));
    add(Table.IPV4_ROUTE, Routing4Table.class, t -> RoutingCodec.of(t));
    add(Table.IPV6_ROUTE, Routing6Table.class, t -> RoutingCodec.of(t));
    add(
        Table.CONGESTION_THRESHOLD,
        CongestionThresholdTable.class,
        t -> new CongestionThresholdCodec(t));
    add(Table.QUEUE_AQM, QueueAqmTable.class, t -> new QueueAqmCodec(t));
    add(Table.EGRESS_PORT, EgressPortTable.class, t -> EgressPortCodec.of(t));
    add(Table.EGRESS_PORT, TnaEgressPortTable.class, t -> EgressPortCodec.of(t));
    add(Table.SUBSCRIBER_METER, SubscriberMeterTable.class, t -> new SubscriberMeterCodec(t));
    add(Table.TREE_METER, TreeMeterTable.class, t -> new TreeMeterCodec(t));
    add(Table.PORT_METER, PortMeterTable.class, t -> new PortMeterCodec(t));
    add(Table.SUBSCRIBER_LIMIT, RateLimiterTable.class, t -> new SubscriberLimitCodec(t));
    add(Table.TREE_LIMIT, TreeLimiterTable.class, t -> new TreeLimitCodec(t));
    add(Table.PORT_LIMIT, PortLimiterTable.class, t -> new PortLimitCodec(t));
    add(Table.LOOP_PORT, LoopPortTable.class, t -> new LoopPortCodec(t));
    add(Table.AGGREGATE, AggregateTable.class, t -> new AggregateCodec(t));
    add(Table.FLOW_WEIGHT, FlowWeightTable.class, t -> new FlowWeightCodec(t));
    add(Table.QUEUE_RIO, QueueRioTable.class, t -> new QueueRioCodec(t));
    add(Table.TRAFFIC_CLASS, TrafficClassTable.class, t -> new TrafficClassCodec(t));
  }

  /**
   * The codecs of a program's tables by kind, in the order of its P4Info.
   *
   * @throws IllegalStateException if it has a table without a codec
   */
  static Map<Table, List<TableCodec<?>>> of(ProgramDescriptor program, MarkerLayout markers) {
    Map<Table, List<TableCodec<?>>> byTable = new EnumMap<>(Table.class);
    for (TableDescriptor descriptor : program.tables()) {
      if (descriptor instanceof GateTableTable) {
        // The agent's, see GateCodec.
        continue;
      }
      Registered<?> registered = CODECS.get(descriptor.getClass());
      if (registered == null) {
        throw new IllegalStateException("table " + descriptor.name() + " has no codec");
      }
      List<TableCodec<?>> codecs =
          byTable.computeIfAbsent(registered.table(), table -> new ArrayList<>());
      codecs.add(registered.codec(descriptor, codecs.size(), markers));
    }
    return byTable;
  }
}
