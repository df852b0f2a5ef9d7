package net.sluice.pipeconf.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.entry.forwarding.EgressPortEntry;
import net.sluice.intents.plan.entry.forwarding.EncapsulationEntry;
import net.sluice.intents.plan.entry.forwarding.ErrorReportEntry;
import net.sluice.intents.plan.entry.forwarding.NeighbourEntry;
import net.sluice.intents.plan.entry.forwarding.NextHopEntry;
import net.sluice.intents.plan.entry.forwarding.RouteEntry;
import net.sluice.intents.plan.entry.limit.LoopPortEntry;
import net.sluice.intents.plan.entry.limit.MeterSetting;
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
import net.sluice.intents.plan.entry.limit.WaitSetting.Managed;
import net.sluice.intents.plan.entry.marker.AggregateEntry;
import net.sluice.intents.plan.entry.marker.FlowWeightEntry;
import net.sluice.intents.plan.entry.marker.MarkingSetting;
import net.sluice.intents.plan.entry.marker.PolicyValueEntry;
import net.sluice.intents.plan.entry.marker.RandomRateEntry;
import net.sluice.intents.plan.entry.marker.RateBinEntry;
import net.sluice.intents.plan.entry.queue.CongestionThresholdEntry;
import net.sluice.intents.plan.entry.queue.Gain;
import net.sluice.intents.plan.entry.queue.QueueAqmEntry;
import net.sluice.intents.plan.entry.queue.QueueRioEntry;
import net.sluice.intents.plan.entry.queue.QueueRioEntry.RedCurve;
import net.sluice.intents.plan.entry.subscriber.DirectionPolicyEntry;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.plan.entry.subscriber.PortRoleEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberVlanEntry;
import net.sluice.intents.plan.entry.wire.UnknownPolicyEntry;
import net.sluice.intents.plan.entry.wire.WireEntry;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.CompiledProgram;

/** Entries of every table and shape. */
public final class SampleEntries {
  public static final SubscriberData ALICE = new SubscriberData(1, 2, 3, 0x2468, true, false, true);
  public static final SubscriberData BOB =
      new SubscriberData(0xfffff, 63, 510, 0x3fff8, false, true, true);

  /** Tables whose entries are of other shapes in the program for TNA, or not in it. */
  private static final Set<Table> DIFFERENT =
      Set.of(
          Table.IPV4_PREFIX,
          Table.IPV6_PREFIX,
          Table.RATE_BIN,
          Table.QUEUE_AQM,
          Table.SUBSCRIBER_LIMIT,
          Table.TREE_LIMIT,
          Table.PORT_LIMIT,
          Table.LOOP_PORT,
          Table.DIRECTION_POLICY,
          Table.TRAFFIC_CLASS,
          Table.POLICY_DELAY,
          Table.POLICY_FLOWS,
          Table.WIRE,
          Table.UNKNOWN_POLICY,
          Table.NEIGHBOUR4,
          Table.NEIGHBOUR6,
          Table.NEXT_HOP,
          Table.ERROR_REPORT);

  private static final Optional<MeterSetting> METER =
      Optional.of(new MeterSetting(25_000_000, 312_500));
  private static final Set<Table> METERED =
      Set.of(Table.SUBSCRIBER_METER, Table.TREE_METER, Table.PORT_METER, Table.UNKNOWN_METER);

  private SampleEntries() {}

  /** A subscriber of one address. */
  public static SwitchEntry v4(int number, SubscriberData data) {
    return new SubscriberPrefixEntry(IpPrefix.v4(0x0a000000 + number, 32), data);
  }

  /** The same in a program that may have a table for each instance of the marker. */
  public static SwitchEntry v4(CompiledProgram program, int number, SubscriberData data) {
    return prefix(program, IpPrefix.v4(0x0a000000 + number, 32), data);
  }

  private static SwitchEntry prefix(CompiledProgram program, IpPrefix prefix, SubscriberData data) {
    MarkerLayout markers = program.profile().markers();
    return new SubscriberPrefixEntry(
        prefix, markers.prefixTable(prefix.family(), data.index()), data);
  }

  /** At least one of each that a program has. */
  public static List<SwitchEntry> of(CompiledProgram program) {
    return switch (program) {
      case V1MODEL -> all();
      case AGGREGATE -> Stream.concat(all().stream(), aggregates().stream()).toList();
      case TNA -> tna();
    };
  }

  private static List<SwitchEntry> aggregates() {
    return List.of(
        new AggregateEntry(
            1,
            Direction.UP,
            1,
            0xffff_ffffL,
            new MarkingSetting.TokenBucket(524_288, 100_000L << 20),
            10,
            12),
        new AggregateEntry(
            0xfffff, Direction.DOWN, 4095, 0, new MarkingSetting.Tsw2cm(0xffff, 6), 63, 0),
        new AggregateEntry(
            2,
            Direction.DOWN,
            2,
            7,
            new MarkingSetting.Pam((1L << 40) - 1, (1L << 52) - 1, 0, 0xffff_ffffL, 1, 16),
            0,
            1),
        new AggregateEntry(
            3,
            Direction.UP,
            3,
            1L << 31,
            new MarkingSetting.Fsam(1, 1, 0xffff_ffffL, 14_000, 1, 200_000),
            10,
            12),
        new FlowWeightEntry(1, 46, 2_048),
        new FlowWeightEntry(4095, 0, 0xffff),
        new QueueRioEntry(
            510,
            7,
            63,
            50,
            9,
            18,
            new RedCurve(15 << 16, 30 << 16, 22_370),
            new RedCurve(0, 0xffff_ffffL, 0xff_ffff)));
  }

  /** As {@link #all}, where the program for TNA does not differ. */
  private static List<SwitchEntry> tna() {
    List<SwitchEntry> entries = new ArrayList<>(unmetered(all()));
    entries.removeIf(
        entry ->
            DIFFERENT.contains(entry.table())
                || entry instanceof EncapsulationEntry e && e.index() != 1
                || entry instanceof SubscriberVlanEntry
                || entry instanceof EgressPortEntry e
                    && (e.priorityTag() || e.destinationMac() == EgressPortEntry.BY_ADDRESS));
    SubscriberData alice = new SubscriberData(1, 2, 3, 0x2468, true, false, true);
    SubscriberData last = new SubscriberData(125_440, 63, 510, 0x3fff8, false, true);
    SubscriberData first = new SubscriberData(17_921, 1, 4, 0, false, false);
    for (SubscriberData data : List.of(alice, first, last)) {
      entries.add(v4(CompiledProgram.TNA, data.index(), data));
      entries.add(prefix(CompiledProgram.TNA, IpPrefix.v6(0x2001_0db8_0000_ff00L, 0, 56), data));
    }
    entries.add(new SubscriberVlanEntry(0, VlanTags.pair(100, 7), alice));
    entries.add(
        new SubscriberVlanEntry(
            510,
            VlanTags.single(4094),
            new SubscriberData(125_440, 63, 510, 0x3fff8, false, true, true)));
    entries.add(new EncapsulationEntry(17_920, VlanTags.single(256)));
    entries.add(new EncapsulationEntry(125_440, VlanTags.single(256)));
    entries.add(new RateBinEntry(0, 0, 8191));
    entries.add(new RateBinEntry(1, 11_808, 11_823));
    entries.add(new RateBinEntry(1023, 0x8000_0000L, 0xffff_ffffL));
    return entries;
  }

  /** At least one of each that the program for v1model has. */
  public static List<SwitchEntry> all() {
    return List.of(
        new SubscriberPrefixEntry(IpPrefix.parse("10.0.0.1/32"), ALICE),
        new SubscriberPrefixEntry(IpPrefix.parse("0.0.0.0/0"), BOB),
        new SubscriberPrefixEntry(IpPrefix.parse("0.0.0.0/8"), BOB),
        new SubscriberPrefixEntry(IpPrefix.parse("2001:db8:0:ff00::/56"), ALICE),
        new SubscriberPrefixEntry(IpPrefix.parse("::1/128"), BOB),
        new SubscriberVlanEntry(0, VlanTags.pair(100, 7), ALICE),
        new SubscriberVlanEntry(510, VlanTags.single(4094), BOB),
        new EncapsulationEntry(1, VlanTags.pair(100, 7)),
        new EncapsulationEntry(0xfffff, VlanTags.single(256)),
        new DirectionPolicyEntry(1, Direction.UP, 63),
        new DirectionPolicyEntry(0xfffff, Direction.DOWN, 1),
        new PolicyValueEntry(1, 0, 65_535),
        new PolicyValueEntry(63, 1023, 0),
        new RateBinEntry(0, 0, 23_637),
        new RateBinEntry(1023, 0x8000_0000L, 0xffff_ffffL),
        new RandomRateEntry(1023, 0, 0),
        new RandomRateEntry(1, 64_799, 65_535),
        new PortRoleEntry(0, PortRole.ACCESS, Direction.UP),
        new PortRoleEntry(510, PortRole.SIDECAR, Direction.DOWN),
        new SidecarEntry(Direction.DOWN, 8),
        new SidecarEntry(Direction.UP, 9),
        new RouteEntry(IpPrefix.parse("0.0.0.0/0"), 64),
        new RouteEntry(IpPrefix.parse("192.0.2.0/24"), 65),
        new RouteEntry(IpPrefix.parse("2001:db8::/32"), 66),
        new CongestionThresholdEntry(1, Gain.FAST, 5000, 15_000, 500, 100_000, 0xffff_ffffL),
        new CongestionThresholdEntry(2, Gain.SLOW, 0, 1, 2, 3, 4),
        new QueueAqmEntry(1, 0, AqmKind.CODEL_ACT, 5_000, 100_000, false),
        new QueueAqmEntry(510, 7, AqmKind.P4_CODEL, 5_000, 100_000, true),
        new QueueAqmEntry(3, 2, AqmKind.RFC8289, 0xffff_ffffL, 0xffff_ffffL, true),
        new EgressPortEntry(1, 0x0200_0000_0001L, 0xffff_ffff_ffffL, true),
        new EgressPortEntry(2, 0, 1, false),
        new RouteEntry(IpPrefix.parse("::/0"), 67),
        new SubscriberMeterEntry(1, Direction.DOWN, new Attachment(0, 1), METER),
        new SubscriberMeterEntry(0xfffff, Direction.UP, new Attachment(7, 63), Optional.empty()),
        new TreeMeterEntry(new Attachment(5, 42), Direction.UP, METER),
        new PortMeterEntry(0, Direction.DOWN, Optional.of(new MeterSetting(8, 0x7fff_ffffL))),
        new PortMeterEntry(7, Direction.UP, Optional.empty()),
        new SubscriberLimitEntry(1, Direction.DOWN, new Attachment(0, 1), 249),
        new SubscriberLimitEntry(0xfffff, Direction.UP, new Attachment(7, 63), 0),
        new SubscriberLimitEntry(
            2,
            Direction.DOWN,
            new Attachment(0, 1),
            249,
            new WaitSetting(50_000_000, Managed.OF_POLICY, 0, 0, false, false)),
        new SubscriberLimitEntry(
            2,
            Direction.UP,
            new Attachment(0, 1),
            249,
            new WaitSetting(
                WaitSetting.LONGEST_OF_POLICY, Managed.CODEL, 5_000_000, 100_000, true, false)),
        new PolicyDelayEntry(
            1, new WaitSetting(100_000_000, Managed.CODEL, 5_000_000, 100_000, true, true)),
        new PolicyDelayEntry(255, new WaitSetting(0, Managed.NONE, 0, 0, false, false)),
        new PolicyFlowsEntry(1, 0),
        new PolicyFlowsEntry(255, 7),
        new TreeLimitEntry(new Attachment(5, 42), Direction.UP, 5541),
        new PortLimitEntry(0, Direction.DOWN, 0xffff),
        new LoopPortEntry(0, 508, 15_000_000),
        new LoopPortEntry(3, 511, 0xffff_ffffL),
        new TrafficClassEntry(1, 0, 1),
        new TrafficClassEntry(63, 63, 7),
        new SubscriberPrefixEntry(
            IpPrefix.parse("10.0.0.2/32"), new SubscriberData(2, 1, 4, 0, false, false)),
        new PortRoleEntry(1, PortRole.ACCESS, Direction.UP, true),
        new EgressPortEntry(3, 0, 1, false, true),
        new WireEntry(0, 510, Direction.UP, 0xfffff),
        new WireEntry(510, 0, Direction.DOWN, 1),
        new UnknownPolicyEntry(1, 63),
        new NeighbourEntry(1, IpPrefix.parse("192.0.2.1/32"), 0x0200_0000_0001L),
        new NeighbourEntry(510, IpPrefix.parse("255.255.255.254/32"), 0),
        new NeighbourEntry(1, IpPrefix.parse("2001:db8:0:1::9/128"), 0xffff_ffff_fffeL),
        new NeighbourEntry(0, IpPrefix.parse("fe80::ffff:0:1/128"), 0),
        new EgressPortEntry(4, 7, EgressPortEntry.BY_ADDRESS, true, true),
        new NextHopEntry(510, 0xffff_ffff_fffeL),
        new ErrorReportEntry(3),
        new UnknownMeterEntry(1, METER),
        new UnknownMeterEntry(510, Optional.empty()));
  }

  /** The same without those that have a meter, which not every way to a switch can say. */
  public static List<SwitchEntry> unmetered(List<SwitchEntry> entries) {
    return entries.stream().filter(entry -> !METERED.contains(entry.table())).toList();
  }
}
