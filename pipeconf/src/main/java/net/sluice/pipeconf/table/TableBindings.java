package net.sluice.pipeconf.table;

import static net.sluice.pipeconf.table.TableBinding.bind;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.entry.forwarding.EgressPortEntry;
import net.sluice.intents.plan.entry.forwarding.EncapsulationEntry;
import net.sluice.intents.plan.entry.forwarding.ErrorReportEntry;
import net.sluice.intents.plan.entry.forwarding.NeighbourEntry;
import net.sluice.intents.plan.entry.forwarding.NextHopEntry;
import net.sluice.intents.plan.entry.forwarding.RouteEntry;
import net.sluice.intents.plan.entry.limit.LoopPortEntry;
import net.sluice.intents.plan.entry.limit.PolicyDelayEntry;
import net.sluice.intents.plan.entry.limit.PolicyFlowsEntry;
import net.sluice.intents.plan.entry.limit.PortLimitEntry;
import net.sluice.intents.plan.entry.limit.PortMeterEntry;
import net.sluice.intents.plan.entry.limit.SidecarEntry;
import net.sluice.intents.plan.entry.limit.SubscriberLimitEntry;
import net.sluice.intents.plan.entry.limit.SubscriberMeterEntry;
import net.sluice.intents.plan.entry.limit.TrafficClassEntry;
import net.sluice.intents.plan.entry.limit.TreeLimitEntry;
import net.sluice.intents.plan.entry.limit.TreeMeterEntry;
import net.sluice.intents.plan.entry.limit.UnknownMeterEntry;
import net.sluice.intents.plan.entry.limit.WaitSetting;
import net.sluice.intents.plan.entry.marker.AggregateEntry;
import net.sluice.intents.plan.entry.marker.FlowWeightEntry;
import net.sluice.intents.plan.entry.marker.MarkingSetting.Marker;
import net.sluice.intents.plan.entry.marker.PolicyValueEntry;
import net.sluice.intents.plan.entry.marker.RandomRateEntry;
import net.sluice.intents.plan.entry.marker.RateBinEntry;
import net.sluice.intents.plan.entry.queue.CongestionThresholdEntry;
import net.sluice.intents.plan.entry.queue.QueueAqmEntry;
import net.sluice.intents.plan.entry.queue.QueueRioEntry;
import net.sluice.intents.plan.entry.subscriber.DirectionPolicyEntry;
import net.sluice.intents.plan.entry.subscriber.PortRoleEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberVlanEntry;
import net.sluice.intents.plan.entry.wire.UnknownPolicyEntry;
import net.sluice.intents.plan.entry.wire.WireEntry;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.p4info.AddressedSubscriberAction;
import net.sluice.pipeconf.p4info.AggregateTable;
import net.sluice.pipeconf.p4info.CongestionThresholdTable;
import net.sluice.pipeconf.p4info.DirectionPolicyTable;
import net.sluice.pipeconf.p4info.EgressPortTable;
import net.sluice.pipeconf.p4info.ErrorReportTable;
import net.sluice.pipeconf.p4info.FlowWeightTable;
import net.sluice.pipeconf.p4info.GateTableTable;
import net.sluice.pipeconf.p4info.LoopPortTable;
import net.sluice.pipeconf.p4info.MatchField;
import net.sluice.pipeconf.p4info.Neighbour4Table;
import net.sluice.pipeconf.p4info.Neighbour6Table;
import net.sluice.pipeconf.p4info.NextHopTable;
import net.sluice.pipeconf.p4info.PolicyDelayTable;
import net.sluice.pipeconf.p4info.PolicyFlowsTable;
import net.sluice.pipeconf.p4info.PolicyFunctionTable;
import net.sluice.pipeconf.p4info.PortLimiterTable;
import net.sluice.pipeconf.p4info.PortMeterTable;
import net.sluice.pipeconf.p4info.PortRoleTable;
import net.sluice.pipeconf.p4info.ProgramDescriptor;
import net.sluice.pipeconf.p4info.PushDoubleAction;
import net.sluice.pipeconf.p4info.PushSingleAction;
import net.sluice.pipeconf.p4info.QueueAqmTable;
import net.sluice.pipeconf.p4info.QueueRioTable;
import net.sluice.pipeconf.p4info.RandomRateEstimTable;
import net.sluice.pipeconf.p4info.RateIndexTable;
import net.sluice.pipeconf.p4info.RateLimiterTable;
import net.sluice.pipeconf.p4info.RouteAction;
import net.sluice.pipeconf.p4info.Routing4Table;
import net.sluice.pipeconf.p4info.Routing6Table;
import net.sluice.pipeconf.p4info.ShapingSidecarTable;
import net.sluice.pipeconf.p4info.SubscriberAction;
import net.sluice.pipeconf.p4info.SubscriberEncapTable;
import net.sluice.pipeconf.p4info.SubscriberMeterTable;
import net.sluice.pipeconf.p4info.SubscriberRate4Table;
import net.sluice.pipeconf.p4info.SubscriberRate6Table;
import net.sluice.pipeconf.p4info.SubscriberServiceVlanTable;
import net.sluice.pipeconf.p4info.SubscriberVlanTable;
import net.sluice.pipeconf.p4info.TableDescriptor;
import net.sluice.pipeconf.p4info.TaggedSubscriberAction;
import net.sluice.pipeconf.p4info.TnaEgressPortTable;
import net.sluice.pipeconf.p4info.TnaPortRoleTable;
import net.sluice.pipeconf.p4info.TnaRateIndexTable;
import net.sluice.pipeconf.p4info.TnaSubscriberAction;
import net.sluice.pipeconf.p4info.TnaSubscriberEncapTable;
import net.sluice.pipeconf.p4info.TnaSubscriberRate4Table;
import net.sluice.pipeconf.p4info.TnaSubscriberRate6Table;
import net.sluice.pipeconf.p4info.TnaSubscriberServiceVlanTable;
import net.sluice.pipeconf.p4info.TnaSubscriberVlanTable;
import net.sluice.pipeconf.p4info.TrafficClassTable;
import net.sluice.pipeconf.p4info.TreeLimiterTable;
import net.sluice.pipeconf.p4info.TreeMeterTable;
import net.sluice.pipeconf.p4info.UnknownMeterTable;
import net.sluice.pipeconf.p4info.UnknownPolicyTable;
import net.sluice.pipeconf.p4info.WireTable;

/**
 * The tables of the programs: which field of an entry each match field and parameter carries. What
 * programs have in other shapes is side by side. A table of P4Info that is not here does not load;
 * neither does one of which something is left out.
 *
 * <p>More than 500 lines, because a table is added in one place: a case of {@link #shapes} and a
 * method.
 */
final class TableBindings {
  /** The interval over the square root of a weighted count of 1, in microseconds. */
  private static final double WEIGHT_UNIT_MICROS = 1 << 22;

  /** A power of two, as that kind's square root has only those. */
  private static final long P4_CODEL_WEIGHT = 1 << 11;

  private TableBindings() {}

  /**
   * Binds a table of one shape.
   *
   * @param <D> the table's descriptor
   */
  private interface Binder<D extends TableDescriptor> {
    /** {@code number}: which of the program's tables of that shape, from 0. */
    TableBinding<?> bind(D table, int number, MarkerLayout markers);
  }

  private record Shape<D extends TableDescriptor>(Class<D> type, Binder<D> binder) {
    TableCodec<?> codec(TableDescriptor table, int number, MarkerLayout markers) {
      return binder.bind(type.cast(table), number, markers).codec();
    }
  }

  private static <D extends TableDescriptor> Shape<D> shape(
      Class<D> type, Function<D, TableBinding<?>> binding) {
    return new Shape<>(type, (table, number, markers) -> binding.apply(table));
  }

  /** The shapes that a table has in the programs; none of what is no table of P4Info. */
  private static List<Shape<?>> shapes(Table table) {
    return switch (table) {
      case IPV4_PREFIX ->
          List.of(
              shape(SubscriberRate4Table.class, TableBindings::of),
              new Shape<>(TnaSubscriberRate4Table.class, TableBindings::of));
      case IPV6_PREFIX ->
          List.of(
              shape(SubscriberRate6Table.class, TableBindings::of),
              new Shape<>(TnaSubscriberRate6Table.class, TableBindings::of));
      case VLAN ->
          List.of(
              shape(SubscriberVlanTable.class, TableBindings::of),
              new Shape<>(TnaSubscriberVlanTable.class, TableBindings::of));
      case SERVICE_VLAN ->
          List.of(
              shape(SubscriberServiceVlanTable.class, TableBindings::of),
              new Shape<>(TnaSubscriberServiceVlanTable.class, TableBindings::of));
      case ENCAPSULATION ->
          List.of(
              shape(SubscriberEncapTable.class, TableBindings::of),
              new Shape<>(TnaSubscriberEncapTable.class, TableBindings::of));
      case DIRECTION_POLICY -> List.of(shape(DirectionPolicyTable.class, TableBindings::of));
      case PORT_ROLE ->
          List.of(
              shape(PortRoleTable.class, TableBindings::of),
              shape(TnaPortRoleTable.class, TableBindings::of));
      case IPV4_ROUTE -> List.of(shape(Routing4Table.class, t -> route(t, t.dst(), t.route())));
      case IPV6_ROUTE -> List.of(shape(Routing6Table.class, t -> route(t, t.dst(), t.route())));
      case EGRESS_PORT ->
          List.of(
              shape(EgressPortTable.class, TableBindings::of),
              shape(TnaEgressPortTable.class, TableBindings::of));
      case POLICY_VALUE -> List.of(shape(PolicyFunctionTable.class, TableBindings::of));
      case RATE_BIN ->
          List.of(
              shape(RateIndexTable.class, TableBindings::of),
              shape(TnaRateIndexTable.class, TableBindings::of));
      case RANDOM_RATE -> List.of(shape(RandomRateEstimTable.class, TableBindings::of));
      case AGGREGATE -> List.of(shape(AggregateTable.class, TableBindings::of));
      case FLOW_WEIGHT -> List.of(shape(FlowWeightTable.class, TableBindings::of));
      case SIDECAR -> List.of(shape(ShapingSidecarTable.class, TableBindings::of));
      case TRAFFIC_CLASS -> List.of(shape(TrafficClassTable.class, TableBindings::of));
      case SUBSCRIBER_METER -> List.of(shape(SubscriberMeterTable.class, TableBindings::of));
      case TREE_METER -> List.of(shape(TreeMeterTable.class, TableBindings::of));
      case PORT_METER -> List.of(shape(PortMeterTable.class, TableBindings::of));
      case SUBSCRIBER_LIMIT -> List.of(shape(RateLimiterTable.class, TableBindings::of));
      case POLICY_DELAY -> List.of(shape(PolicyDelayTable.class, TableBindings::of));
      case POLICY_FLOWS -> List.of(shape(PolicyFlowsTable.class, TableBindings::of));
      case TREE_LIMIT -> List.of(shape(TreeLimiterTable.class, TableBindings::of));
      case PORT_LIMIT -> List.of(shape(PortLimiterTable.class, TableBindings::of));
      case LOOP_PORT -> List.of(shape(LoopPortTable.class, TableBindings::of));
      case CONGESTION_THRESHOLD ->
          List.of(shape(CongestionThresholdTable.class, TableBindings::of));
      case QUEUE_AQM -> List.of(shape(QueueAqmTable.class, TableBindings::of));
      case QUEUE_RIO -> List.of(shape(QueueRioTable.class, TableBindings::of));
      case WIRE -> List.of(shape(WireTable.class, TableBindings::of));
      case UNKNOWN_POLICY -> List.of(shape(UnknownPolicyTable.class, TableBindings::of));
      case UNKNOWN_METER -> List.of(shape(UnknownMeterTable.class, TableBindings::of));
      case NEIGHBOUR4 -> List.of(shape(Neighbour4Table.class, TableBindings::of));
      case NEIGHBOUR6 -> List.of(shape(Neighbour6Table.class, TableBindings::of));
      case NEXT_HOP -> List.of(shape(NextHopTable.class, TableBindings::of));
      case ERROR_REPORT -> List.of(shape(ErrorReportTable.class, TableBindings::of));
      // An entity of its own, see MirrorCodec.
      case MIRROR -> List.of();
    };
  }

  // ---------------------------------------------------------------- whose a packet is

  private static TableBinding<?> of(SubscriberRate4Table t) {
    return bind(t, SubscriberPrefixEntry.FORM)
        .prefix(t.addr(), SubscriberPrefixEntry.PREFIX)
        .action(t.subscriber(), TableBindings::withoutLine)
        .action(t.taggedSubscriber(), TableBindings::withLine);
  }

  private static TableBinding<?> of(SubscriberRate6Table t) {
    return bind(t, SubscriberPrefixEntry.FORM)
        .prefix(t.addr(), SubscriberPrefixEntry.PREFIX)
        .action(t.subscriber(), TableBindings::withoutLine)
        .action(t.taggedSubscriber(), TableBindings::withLine);
  }

  private static void withoutLine(
      ActionBinding<SubscriberPrefixEntry> a, SubscriberAction subscriber) {
    var data = SubscriberPrefixEntry.DATA;
    a.when(data.hasLine(), 0).param(subscriber.index(), data.index());
    subscriber(a, data, subscriber);
  }

  private static void withLine(
      ActionBinding<SubscriberPrefixEntry> a, TaggedSubscriberAction tagged) {
    var data = SubscriberPrefixEntry.DATA;
    a.when(data.hasLine(), 1)
        .param(tagged.index(), data.index())
        .param(tagged.policy(), data.policySlot())
        .param(tagged.port(), data.egressPort())
        .param(tagged.queue(), data.queueId())
        .param(tagged.shapeDown(), data.shapeDown())
        .param(tagged.shapeUp(), data.shapeUp());
  }

  private static <E> void subscriber(
      ActionBinding<E> a, SubscriberData.Fields<E> data, SubscriberAction subscriber) {
    a.param(subscriber.policy(), data.policySlot())
        .param(subscriber.port(), data.egressPort())
        .param(subscriber.queue(), data.queueId())
        .param(subscriber.shapeDown(), data.shapeDown())
        .param(subscriber.shapeUp(), data.shapeUp());
  }

  private static TableBinding<?> of(TnaSubscriberRate4Table t, int number, MarkerLayout markers) {
    return bind(t, SubscriberPrefixEntry.FORM)
        .prefix(t.addr(), Family.V4, SubscriberPrefixEntry.PREFIX)
        .means(SubscriberPrefixEntry.TABLE_NUMBER, number)
        .action(t.addressedSubscriber(), (a, s) -> ofInstance(a, s, number, markers));
  }

  private static TableBinding<?> of(TnaSubscriberRate6Table t, int number, MarkerLayout markers) {
    return bind(t, SubscriberPrefixEntry.FORM)
        .prefix(t.addr(), Family.V6, SubscriberPrefixEntry.PREFIX)
        .means(SubscriberPrefixEntry.TABLE_NUMBER, number)
        .action(t.addressedSubscriber(), (a, s) -> ofInstance(a, s, number, markers));
  }

  private static void ofInstance(
      ActionBinding<SubscriberPrefixEntry> a,
      AddressedSubscriberAction subscriber,
      int instance,
      MarkerLayout markers) {
    var data = SubscriberPrefixEntry.DATA;
    a.cell(subscriber.index(), data.index(), instance, markers)
        .param(subscriber.policy(), data.policySlot())
        .param(subscriber.port(), data.egressPort())
        .param(subscriber.queue(), data.queueId())
        .param(subscriber.shapeDown(), data.shapeDown())
        .param(subscriber.shapeUp(), data.shapeUp())
        .param(subscriber.hasLine(), data.hasLine());
  }

  private static TableBinding<?> of(SubscriberVlanTable t) {
    return bind(t, SubscriberVlanEntry.FORM)
        .exact(t.ingressPort(), SubscriberVlanEntry.INGRESS_PORT)
        .exact(t.sVid(), SubscriberVlanEntry.S_VLAN)
        .exact(t.cVid(), SubscriberVlanEntry.C_VLAN)
        .means(SubscriberVlanEntry.ANY_CUSTOMER, 0)
        .action(t.subscriber(), TableBindings::ofLine);
  }

  private static TableBinding<?> of(SubscriberServiceVlanTable t) {
    return bind(t, SubscriberVlanEntry.FORM)
        .exact(t.ingressPort(), SubscriberVlanEntry.INGRESS_PORT)
        .exact(t.sVid(), SubscriberVlanEntry.S_VLAN)
        .means(SubscriberVlanEntry.ANY_CUSTOMER, 1)
        .action(t.subscriber(), TableBindings::ofLine);
  }

  private static void ofLine(ActionBinding<SubscriberVlanEntry> a, SubscriberAction subscriber) {
    var data = SubscriberVlanEntry.DATA;
    a.means(data.hasLine(), 1).param(subscriber.index(), data.index());
    subscriber(a, data, subscriber);
  }

  private static TableBinding<?> of(TnaSubscriberVlanTable t, int number, MarkerLayout markers) {
    return bind(t, SubscriberVlanEntry.FORM)
        .exact(t.ingressPort(), SubscriberVlanEntry.INGRESS_PORT)
        .exact(t.sVid(), SubscriberVlanEntry.S_VLAN)
        .exact(t.cVid(), SubscriberVlanEntry.C_VLAN)
        .means(SubscriberVlanEntry.ANY_CUSTOMER, 0)
        .action(t.subscriber(), (a, s) -> ofLine(a, s, markers));
  }

  private static TableBinding<?> of(
      TnaSubscriberServiceVlanTable t, int number, MarkerLayout markers) {
    return bind(t, SubscriberVlanEntry.FORM)
        .exact(t.ingressPort(), SubscriberVlanEntry.INGRESS_PORT)
        .exact(t.sVid(), SubscriberVlanEntry.S_VLAN)
        .means(SubscriberVlanEntry.ANY_CUSTOMER, 1)
        .action(t.subscriber(), (a, s) -> ofLine(a, s, markers));
  }

  private static void ofLine(
      ActionBinding<SubscriberVlanEntry> a, TnaSubscriberAction subscriber, MarkerLayout markers) {
    var data = SubscriberVlanEntry.DATA;
    a.means(data.hasLine(), 1)
        .cell(subscriber.instance(), subscriber.index(), data.index(), markers)
        .param(subscriber.policy(), data.policySlot())
        .param(subscriber.port(), data.egressPort())
        .param(subscriber.queue(), data.queueId())
        .param(subscriber.shapeDown(), data.shapeDown())
        .param(subscriber.shapeUp(), data.shapeUp());
  }

  private static TableBinding<?> of(DirectionPolicyTable t) {
    return bind(t, DirectionPolicyEntry.FORM)
        .exact(t.index(), DirectionPolicyEntry.INDEX)
        .exact(t.direction(), DirectionPolicyEntry.DIRECTION)
        .action(t.setPolicy(), (a, set) -> a.param(set.policy(), DirectionPolicyEntry.POLICY_SLOT));
  }

  private static TableBinding<?> of(PortRoleTable t) {
    return bind(t, PortRoleEntry.FORM)
        .exact(t.ingressPort(), PortRoleEntry.PORT)
        .action(
            t.setRole(),
            (a, set) ->
                a.param(set.role(), PortRoleEntry.ROLE)
                    .param(set.direction(), PortRoleEntry.DIRECTION)
                    .param(set.dropUnknown(), PortRoleEntry.DROP_UNKNOWN));
  }

  /** Each direction has an action of its own. */
  private static TableBinding<?> of(TnaPortRoleTable t) {
    return bind(t, PortRoleEntry.FORM)
        .exact(t.ingressPort(), PortRoleEntry.PORT)
        .action(
            t.setRoleDown(),
            (a, set) ->
                a.param(set.role(), PortRoleEntry.ROLE)
                    .when(PortRoleEntry.DIRECTION, Direction.DOWN)
                    .param(set.dropUnknown(), PortRoleEntry.DROP_UNKNOWN))
        .action(
            t.setRoleUp(),
            (a, set) ->
                a.param(set.role(), PortRoleEntry.ROLE)
                    .when(PortRoleEntry.DIRECTION, Direction.UP)
                    .param(set.dropUnknown(), PortRoleEntry.DROP_UNKNOWN));
  }

  private static TableBinding<?> of(WireTable t) {
    return bind(t, WireEntry.FORM)
        .exact(t.ingressPort(), WireEntry.PORT)
        .action(
            t.wire(),
            (a, wire) ->
                a.param(wire.partner(), WireEntry.PARTNER)
                    .param(wire.direction(), WireEntry.DIRECTION)
                    .param(wire.nobody(), WireEntry.NOBODY));
  }

  private static TableBinding<?> of(UnknownPolicyTable t) {
    return bind(t, UnknownPolicyEntry.FORM)
        .exact(t.ingressPort(), UnknownPolicyEntry.PORT)
        .action(
            t.setUnknownPolicy(),
            (a, set) -> a.param(set.policy(), UnknownPolicyEntry.POLICY_SLOT));
  }

  // ---------------------------------------------------------------- where packets go

  private static TableBinding<?> route(
      TableDescriptor t, MatchField.Lpm destination, RouteAction route) {
    return bind(t, RouteEntry.FORM)
        .prefix(destination, RouteEntry.PREFIX)
        .action(route, (a, to) -> a.param(to.port(), RouteEntry.PORT));
  }

  private static TableBinding<?> of(SubscriberEncapTable t) {
    return bind(t, EncapsulationEntry.FORM)
        .exact(t.index(), EncapsulationEntry.INDEX)
        .action(t.pushSingle(), TableBindings::push)
        .action(t.pushDouble(), TableBindings::push);
  }

  private static TableBinding<?> of(TnaSubscriberEncapTable t, int number, MarkerLayout markers) {
    return bind(t, EncapsulationEntry.FORM)
        .cell(t.instance(), t.index(), EncapsulationEntry.INDEX, markers)
        .action(t.pushSingle(), TableBindings::push)
        .action(t.pushDouble(), TableBindings::push);
  }

  private static void push(ActionBinding<EncapsulationEntry> a, PushSingleAction push) {
    a.when(EncapsulationEntry.C_VLAN, VlanTags.NONE).param(push.sVid(), EncapsulationEntry.S_VLAN);
  }

  private static void push(ActionBinding<EncapsulationEntry> a, PushDoubleAction push) {
    a.param(push.sVid(), EncapsulationEntry.S_VLAN).param(push.cVid(), EncapsulationEntry.C_VLAN);
  }

  private static TableBinding<?> of(EgressPortTable t) {
    return bind(t, EgressPortEntry.FORM)
        .exact(t.egressPort(), EgressPortEntry.PORT)
        .action(
            t.rewriteToNextHop(),
            (a, rewrite) ->
                a.when(EgressPortEntry.DESTINATION_MAC, EgressPortEntry.BY_ADDRESS)
                    .param(rewrite.srcMac(), EgressPortEntry.SOURCE_MAC)
                    .param(rewrite.keepPv(), EgressPortEntry.KEEP_PACKET_VALUE)
                    .param(rewrite.priorityTag(), EgressPortEntry.PRIORITY_TAG))
        .action(
            t.rewrite(),
            (a, rewrite) ->
                a.param(rewrite.srcMac(), EgressPortEntry.SOURCE_MAC)
                    .param(rewrite.dstMac(), EgressPortEntry.DESTINATION_MAC)
                    .param(rewrite.keepPv(), EgressPortEntry.KEEP_PACKET_VALUE)
                    .param(rewrite.priorityTag(), EgressPortEntry.PRIORITY_TAG));
  }

  private static TableBinding<?> of(Neighbour4Table t) {
    return bind(t, NeighbourEntry.FORM)
        .means(NeighbourEntry.FAMILY, Family.V4.ordinal())
        .means(NeighbourEntry.ADDRESS_0, 0)
        .means(NeighbourEntry.ADDRESS_1, 0)
        .means(NeighbourEntry.ADDRESS_2, 0)
        .exact(t.ingressPort(), NeighbourEntry.PORT)
        .exact(t.addr(), NeighbourEntry.ADDRESS_3)
        .action(t.ofNextHop(), (a, of) -> a.when(NeighbourEntry.OWN_MAC, NeighbourEntry.NO_MAC))
        .action(t.own(), (a, own) -> a.param(own.mac(), NeighbourEntry.OWN_MAC));
  }

  private static TableBinding<?> of(Neighbour6Table t) {
    return bind(t, NeighbourEntry.FORM)
        .means(NeighbourEntry.FAMILY, Family.V6.ordinal())
        .exact(t.ingressPort(), NeighbourEntry.PORT)
        .exact(t.addr0(), NeighbourEntry.ADDRESS_0)
        .exact(t.addr1(), NeighbourEntry.ADDRESS_1)
        .exact(t.addr2(), NeighbourEntry.ADDRESS_2)
        .exact(t.addr3(), NeighbourEntry.ADDRESS_3)
        .action(t.ofNextHop(), (a, of) -> a.when(NeighbourEntry.OWN_MAC, NeighbourEntry.NO_MAC))
        .action(t.own(), (a, own) -> a.param(own.mac(), NeighbourEntry.OWN_MAC));
  }

  private static TableBinding<?> of(NextHopTable t) {
    return bind(t, NextHopEntry.FORM)
        .exact(t.egressPort(), NextHopEntry.PORT)
        .action(t.nextHop(), (a, hop) -> a.param(hop.mac(), NextHopEntry.MAC));
  }

  private static TableBinding<?> of(ErrorReportTable t) {
    return bind(t, ErrorReportEntry.FORM)
        .exact(t.ingressPort(), ErrorReportEntry.PORT)
        .action(t.report());
  }

  /** The program keeps no priorities. */
  private static TableBinding<?> of(TnaEgressPortTable t) {
    return bind(t, EgressPortEntry.FORM)
        .exact(t.egressPort(), EgressPortEntry.PORT)
        .action(
            t.rewrite(),
            (a, rewrite) ->
                a.param(rewrite.srcMac(), EgressPortEntry.SOURCE_MAC)
                    .param(rewrite.dstMac(), EgressPortEntry.DESTINATION_MAC)
                    .param(rewrite.keepPv(), EgressPortEntry.KEEP_PACKET_VALUE)
                    .when(EgressPortEntry.PRIORITY_TAG, 0));
  }

  // ---------------------------------------------------------------- how packets are marked

  private static TableBinding<?> of(PolicyFunctionTable t) {
    return bind(t, PolicyValueEntry.FORM)
        .exact(t.policy(), PolicyValueEntry.POLICY_SLOT)
        .exact(t.bin(), PolicyValueEntry.BIN)
        .action(t.setPacketValue(), (a, set) -> a.param(set.pv(), PolicyValueEntry.PACKET_VALUE));
  }

  private static TableBinding<?> of(RateIndexTable t) {
    return bind(t, RateBinEntry.FORM)
        .range(t.rate(), RateBinEntry.RATE)
        .action(t.setBin(), (a, set) -> a.param(set.bin(), RateBinEntry.BIN));
  }

  private static TableBinding<?> of(TnaRateIndexTable t) {
    return bind(t, RateBinEntry.FORM)
        .blocks(t.rate(), RateBinEntry.RATE)
        .action(t.setBin(), (a, set) -> a.param(set.bin(), RateBinEntry.BIN));
  }

  private static TableBinding<?> of(RandomRateEstimTable t) {
    return bind(t, RandomRateEntry.FORM)
        .range(t.rnd(), RandomRateEntry.RANDOM)
        .action(t.setOffset(), (a, set) -> a.param(set.y(), RandomRateEntry.OFFSET));
  }

  private static TableBinding<?> of(AggregateTable t) {
    return bind(t, AggregateEntry.FORM)
        .exact(t.index(), AggregateEntry.INDEX)
        .exact(t.direction(), AggregateEntry.DIRECTION)
        .action(
            t.tokenBucket(),
            (a, m) ->
                a.when(AggregateEntry.MARKER, Marker.TOKEN_BUCKET)
                    .param(m.index(), AggregateEntry.AGGREGATE)
                    .param(m.holder(), AggregateEntry.HOLDER)
                    .param(m.fill(), AggregateEntry.FILL)
                    .param(m.burst(), AggregateEntry.BURST)
                    .param(m.dscpIn(), AggregateEntry.DSCP_IN)
                    .param(m.dscpOut(), AggregateEntry.DSCP_OUT))
        .action(
            t.tsw2cm(),
            (a, m) ->
                a.when(AggregateEntry.MARKER, Marker.TSW2CM)
                    .param(m.index(), AggregateEntry.AGGREGATE)
                    .param(m.holder(), AggregateEntry.HOLDER)
                    .param(m.cirLog(), AggregateEntry.CIR_LOG)
                    .param(m.timeShift(), AggregateEntry.TIME_SHIFT)
                    .param(m.dscpIn(), AggregateEntry.DSCP_IN)
                    .param(m.dscpOut(), AggregateEntry.DSCP_OUT))
        .action(
            t.pam(),
            (a, m) ->
                a.when(AggregateEntry.MARKER, Marker.PAM)
                    .param(m.index(), AggregateEntry.AGGREGATE)
                    .param(m.holder(), AggregateEntry.HOLDER)
                    .param(m.fill(), AggregateEntry.FILL)
                    .param(m.burst(), AggregateEntry.BURST)
                    .param(m.least(), AggregateEntry.LEAST_BITS)
                    .param(m.most(), AggregateEntry.MOST_BITS)
                    .param(m.scaleLog(), AggregateEntry.SCALE_LOG)
                    .param(m.averageShift(), AggregateEntry.AVERAGE_SHIFT)
                    .param(m.dscpIn(), AggregateEntry.DSCP_IN)
                    .param(m.dscpOut(), AggregateEntry.DSCP_OUT))
        .action(
            t.fSam(),
            (a, m) ->
                a.when(AggregateEntry.MARKER, Marker.F_SAM)
                    .param(m.index(), AggregateEntry.AGGREGATE)
                    .param(m.holder(), AggregateEntry.HOLDER)
                    .param(m.fill(), AggregateEntry.FILL)
                    .param(m.burst(), AggregateEntry.BURST)
                    .param(m.cirRate(), AggregateEntry.CIR_RATE)
                    .param(m.cirLog(), AggregateEntry.CIR_LOG)
                    .param(m.timeShift(), AggregateEntry.TIME_SHIFT)
                    .param(m.windowMicros(), AggregateEntry.WINDOW_MICROS)
                    .param(m.dscpIn(), AggregateEntry.DSCP_IN)
                    .param(m.dscpOut(), AggregateEntry.DSCP_OUT));
  }

  private static TableBinding<?> of(FlowWeightTable t) {
    return bind(t, FlowWeightEntry.FORM)
        .exact(t.aggregate(), FlowWeightEntry.AGGREGATE)
        .exact(t.dscp(), FlowWeightEntry.DSCP)
        .action(t.setWeight(), (a, set) -> a.param(set.weightLog(), FlowWeightEntry.WEIGHT_LOG));
  }

  // ---------------------------------------------------------------- limits

  private static TableBinding<?> of(ShapingSidecarTable t) {
    return bind(t, SidecarEntry.FORM)
        .exact(t.direction(), SidecarEntry.DIRECTION)
        .action(t.toSidecar(), (a, to) -> a.param(to.port(), SidecarEntry.PORT));
  }

  private static TableBinding<?> of(TrafficClassTable t) {
    return bind(t, TrafficClassEntry.FORM)
        .exact(t.policy(), TrafficClassEntry.POLICY_SLOT)
        .exact(t.dscp(), TrafficClassEntry.DSCP)
        .action(t.setClass(), (a, set) -> a.param(set.queueClass(), TrafficClassEntry.QUEUE_CLASS));
  }

  private static TableBinding<?> of(SubscriberMeterTable t) {
    return bind(t, SubscriberMeterEntry.FORM)
        .exact(t.index(), SubscriberMeterEntry.INDEX)
        .exact(t.direction(), SubscriberMeterEntry.DIRECTION)
        .meter(SubscriberMeterEntry.METER)
        .action(
            t.meterSubscriber(),
            (a, of) ->
                a.param(of.port(), SubscriberMeterEntry.PORT)
                    .param(of.tree(), SubscriberMeterEntry.TREE));
  }

  private static TableBinding<?> of(TreeMeterTable t) {
    return bind(t, TreeMeterEntry.FORM)
        .exact(t.port(), TreeMeterEntry.PORT)
        .exact(t.tree(), TreeMeterEntry.TREE)
        .exact(t.direction(), TreeMeterEntry.DIRECTION)
        .meter(TreeMeterEntry.METER)
        .action(t.meterTree());
  }

  private static TableBinding<?> of(PortMeterTable t) {
    return bind(t, PortMeterEntry.FORM)
        .exact(t.port(), PortMeterEntry.PORT)
        .exact(t.direction(), PortMeterEntry.DIRECTION)
        .meter(PortMeterEntry.METER)
        .action(t.meterPort());
  }

  private static TableBinding<?> of(UnknownMeterTable t) {
    return bind(t, UnknownMeterEntry.FORM)
        .exact(t.ingressPort(), UnknownMeterEntry.PORT)
        .meter(UnknownMeterEntry.METER)
        .action(t.meterUnknown());
  }

  private static TableBinding<?> of(RateLimiterTable t) {
    return bind(t, SubscriberLimitEntry.FORM)
        .exact(t.index(), SubscriberLimitEntry.INDEX)
        .exact(t.direction(), SubscriberLimitEntry.DIRECTION)
        .action(
            t.limitSubscriber(),
            (a, limit) ->
                a.when(SubscriberLimitEntry.DELAY.longestNanos(), WaitSetting.LONGEST_OF_POLICY)
                    .when(SubscriberLimitEntry.DELAY.aqm(), WaitSetting.Managed.OF_POLICY)
                    .means(SubscriberLimitEntry.DELAY.targetNanos(), 0)
                    .means(SubscriberLimitEntry.DELAY.intervalMicros(), 0)
                    .means(SubscriberLimitEntry.DELAY.ecn(), 0)
                    .means(SubscriberLimitEntry.DELAY.l4s(), 0)
                    .param(limit.rate(), SubscriberLimitEntry.RATE_WORD)
                    .param(limit.port(), SubscriberLimitEntry.PORT)
                    .param(limit.tree(), SubscriberLimitEntry.TREE))
        .action(
            t.limitSubscriberDelay(),
            (a, limit) ->
                a.param(limit.rate(), SubscriberLimitEntry.RATE_WORD)
                    .param(limit.port(), SubscriberLimitEntry.PORT)
                    .param(limit.tree(), SubscriberLimitEntry.TREE)
                    .param(limit.longestWait(), SubscriberLimitEntry.DELAY.longestNanos())
                    .param(limit.aqm(), SubscriberLimitEntry.DELAY.aqm())
                    .param(limit.target(), SubscriberLimitEntry.DELAY.targetNanos())
                    .param(limit.intervalMicros(), SubscriberLimitEntry.DELAY.intervalMicros())
                    .param(limit.ecn(), SubscriberLimitEntry.DELAY.ecn())
                    .param(limit.l4s(), SubscriberLimitEntry.DELAY.l4s()));
  }

  private static TableBinding<?> of(PolicyDelayTable t) {
    return bind(t, PolicyDelayEntry.FORM)
        .exact(t.policy(), PolicyDelayEntry.POLICY_SLOT)
        .action(
            t.keepLow(),
            (a, delay) ->
                a.param(delay.longestWait(), PolicyDelayEntry.DELAY.longestNanos())
                    .param(delay.aqm(), PolicyDelayEntry.DELAY.aqm())
                    .param(delay.target(), PolicyDelayEntry.DELAY.targetNanos())
                    .param(delay.intervalMicros(), PolicyDelayEntry.DELAY.intervalMicros())
                    .param(delay.ecn(), PolicyDelayEntry.DELAY.ecn())
                    .param(delay.l4s(), PolicyDelayEntry.DELAY.l4s()));
  }

  private static TableBinding<?> of(PolicyFlowsTable t) {
    return bind(t, PolicyFlowsEntry.FORM)
        .exact(t.policy(), PolicyFlowsEntry.POLICY_SLOT)
        .action(
            t.lightFirst(),
            (a, light) -> a.param(light.lightClass(), PolicyFlowsEntry.LIGHT_CLASS));
  }

  private static TableBinding<?> of(TreeLimiterTable t) {
    return bind(t, TreeLimitEntry.FORM)
        .exact(t.port(), TreeLimitEntry.PORT)
        .exact(t.tree(), TreeLimitEntry.TREE)
        .exact(t.direction(), TreeLimitEntry.DIRECTION)
        .action(t.limitTree(), (a, limit) -> a.param(limit.rate(), TreeLimitEntry.RATE_WORD));
  }

  private static TableBinding<?> of(PortLimiterTable t) {
    return bind(t, PortLimitEntry.FORM)
        .exact(t.port(), PortLimitEntry.PORT)
        .exact(t.direction(), PortLimitEntry.DIRECTION)
        .action(t.limitPort(), (a, limit) -> a.param(limit.rate(), PortLimitEntry.RATE_WORD));
  }

  private static TableBinding<?> of(LoopPortTable t) {
    return bind(t, LoopPortEntry.FORM)
        .exact(t.pipe(), LoopPortEntry.PIPE)
        .action(
            t.loop(),
            (a, loop) ->
                a.param(loop.p(), LoopPortEntry.PORT)
                    .param(loop.bytes(), LoopPortEntry.BUFFER_BYTES));
  }

  // ---------------------------------------------------------------- queues

  private static TableBinding<?> of(CongestionThresholdTable t) {
    return bind(t, CongestionThresholdEntry.FORM)
        .exact(t.egressPort(), CongestionThresholdEntry.PORT)
        .action(
            t.steer(),
            (a, steer) ->
                a.param(steer.gain(), CongestionThresholdEntry.GAIN)
                    .param(steer.targetMicros(), CongestionThresholdEntry.TARGET_MICROS)
                    .param(steer.overloadMicros(), CongestionThresholdEntry.OVERLOAD_MICROS)
                    .param(steer.periodMicros(), CongestionThresholdEntry.PERIOD_MICROS)
                    .param(steer.idleMicros(), CongestionThresholdEntry.IDLE_MICROS)
                    .param(steer.ecnDropMicros(), CongestionThresholdEntry.ECN_DROP_MICROS));
  }

  private static TableBinding<?> of(QueueAqmTable t) {
    return bind(t, QueueAqmEntry.FORM)
        .exact(t.egressPort(), QueueAqmEntry.PORT)
        .exact(t.queue(), QueueAqmEntry.QUEUE)
        .action(
            t.manage(),
            (a, manage) ->
                a.param(manage.kind(), QueueAqmEntry.KIND)
                    .param(manage.targetMicros(), QueueAqmEntry.TARGET_MICROS)
                    .param(manage.intervalMicros(), QueueAqmEntry.INTERVAL_MICROS)
                    .derived(manage.weight(), TableBindings::weight)
                    .param(manage.ecn(), QueueAqmEntry.ECN));
  }

  /**
   * The weight of a count of 1: with counts in this unit the program needs one square root for all
   * intervals. The predecessor's interval is in its square root.
   */
  private static long weight(QueueAqmEntry entry) {
    if (entry.kind() == AqmKind.P4_CODEL) {
      return P4_CODEL_WEIGHT;
    }
    double ratio = WEIGHT_UNIT_MICROS / entry.intervalMicros();
    return Math.min((1L << 32) - 1, Math.max(1, Math.round(ratio * ratio)));
  }

  private static TableBinding<?> of(QueueRioTable t) {
    return bind(t, QueueRioEntry.FORM)
        .exact(t.egressPort(), QueueRioEntry.PORT)
        .exact(t.queue(), QueueRioEntry.QUEUE)
        .action(
            t.rio(),
            (a, rio) ->
                a.param(rio.dscpIn(), QueueRioEntry.DSCP_IN)
                    .param(rio.limit(), QueueRioEntry.LIMIT_PACKETS)
                    .param(rio.weightShift(), QueueRioEntry.WEIGHT_SHIFT)
                    .param(rio.idleShift(), QueueRioEntry.IDLE_SHIFT)
                    .param(rio.leastIn(), QueueRioEntry.IN.least())
                    .param(rio.mostIn(), QueueRioEntry.IN.most())
                    .param(rio.slopeIn(), QueueRioEntry.IN.slope())
                    .param(rio.leastOut(), QueueRioEntry.OUT.least())
                    .param(rio.mostOut(), QueueRioEntry.OUT.most())
                    .param(rio.slopeOut(), QueueRioEntry.OUT.slope()));
  }

  // ---------------------------------------------------------------- of a program

  /**
   * The codecs of a program's tables by kind, in the order of its P4Info.
   *
   * @throws IllegalStateException if it has a table that is not bound
   */
  static Map<Table, List<TableCodec<?>>> of(ProgramDescriptor program, MarkerLayout markers) {
    Map<Class<?>, Table> kinds = new HashMap<>();
    Map<Class<?>, Shape<?>> shapes = new HashMap<>();
    for (Table table : Table.values()) {
      for (Shape<?> shape : shapes(table)) {
        kinds.put(shape.type(), table);
        shapes.put(shape.type(), shape);
      }
    }
    Map<Table, List<TableCodec<?>>> byTable = new EnumMap<>(Table.class);
    for (TableDescriptor descriptor : program.tables()) {
      if (descriptor instanceof GateTableTable) {
        // The agent's, see GateCodec.
        continue;
      }
      Shape<?> shape = shapes.get(descriptor.getClass());
      if (shape == null) {
        throw new IllegalStateException("table " + descriptor.name() + " is not bound");
      }
      List<TableCodec<?>> codecs =
          byTable.computeIfAbsent(kinds.get(shape.type()), table -> new ArrayList<>());
      codecs.add(shape.codec(descriptor, codecs.size(), markers));
    }
    return byTable;
  }
}
