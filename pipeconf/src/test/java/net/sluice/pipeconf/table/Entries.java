package net.sluice.pipeconf.table;

import java.util.Optional;
import java.util.OptionalInt;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.plan.SwitchEntry;
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
import net.sluice.intents.plan.entry.limit.TreeLimitEntry;
import net.sluice.intents.plan.entry.limit.TreeMeterEntry;
import net.sluice.intents.plan.entry.limit.UnknownMeterEntry;
import net.sluice.intents.plan.entry.limit.WaitSetting;
import net.sluice.intents.plan.entry.marker.PolicyValueEntry;
import net.sluice.intents.plan.entry.marker.RandomRateEntry;
import net.sluice.intents.plan.entry.marker.RateBinEntry;
import net.sluice.intents.plan.entry.queue.CongestionThresholdEntry;
import net.sluice.intents.plan.entry.queue.Gain;
import net.sluice.intents.plan.entry.queue.QueueAqmEntry;
import net.sluice.intents.plan.entry.subscriber.DirectionPolicyEntry;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.plan.entry.subscriber.PortRoleEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberVlanEntry;
import net.sluice.intents.plan.entry.wire.UnknownPolicyEntry;
import net.sluice.intents.plan.entry.wire.WireEntry;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.intents.profile.PrefixLengths;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.CompiledProgram;

/** Any entries that the tables can hold; chosen ones are in {@code SampleEntries}. */
final class Entries {
  private Entries() {}

  /** Any entry that fits a program's tables. */
  static Arbitrary<SwitchEntry> of(CompiledProgram program) {
    boolean tna = program == CompiledProgram.TNA;
    MarkerLayout markers = program.profile().markers();
    Arbitrary<Integer> port = Arbitraries.integers().between(0, 510);
    Arbitrary<Integer> index = Arbitraries.integers().between(tna ? 1 : 0, markers.capacity());
    Arbitrary<Long> micros = Arbitraries.longs().between(0, 0xffff_ffffL);
    Arbitrary<Long> mac = Arbitraries.longs().between(0, 0xffff_ffff_ffffL);
    Arbitrary<Integer> bin = Arbitraries.integers().between(0, 1023);
    Arbitrary<Integer> random = Arbitraries.integers().between(0, 0xffff);
    Arbitrary<Boolean> flag = Arbitraries.of(true, false);
    Arbitrary<Direction> direction = Arbitraries.of(Direction.values());
    Arbitrary<VlanTags> vlans =
        Combinators.combine(
                Arbitraries.integers().between(1, 4094), Arbitraries.integers().between(0, 4094))
            .as(VlanTags::new);
    Arbitrary<SubscriberData> data =
        Combinators.combine(
                index,
                Arbitraries.integers().between(0, 255),
                port,
                Arbitraries.integers().between(0, (1 << 18) - 1),
                flag,
                flag,
                flag)
            .as(SubscriberData::new);
    // A table of lines need not say that its subscribers have one.
    Arbitrary<SubscriberData> line = data.map(Entries::withLine);
    Arbitrary<SwitchEntry> rateBin =
        tna
            ? Combinators.combine(bin, micros, Arbitraries.integers().between(0, 32))
                .as((b, key, k) -> new RateBinEntry(b, key >> k << k, key | (1L << k) - 1))
            : Combinators.combine(bin, micros, micros)
                .as((b, x, y) -> new RateBinEntry(b, Math.min(x, y), Math.max(x, y)));
    Arbitrary<SwitchEntry> queueAqm =
        Combinators.combine(
                port,
                Arbitraries.integers().between(0, 7),
                Arbitraries.of(AqmKind.values()),
                micros,
                micros,
                flag)
            .as(QueueAqmEntry::new);
    PrefixLengths lengths = program.profile().prefixLengths();
    return Arbitraries.oneOf(
        tna ? rateBin : queueAqm,
        tna ? rateBin : metered(index, direction),
        tna ? rateBin : shaped(index, direction),
        Combinators.combine(prefixes(lengths), data)
            .as(
                (prefix, of) ->
                    new SubscriberPrefixEntry(
                        prefix, markers.prefixTable(prefix.family(), of.index()), of)),
        Combinators.combine(port, vlans, line).as(SubscriberVlanEntry::new),
        Combinators.combine(port, vlans.map(tags -> VlanTags.single(tags.sVlan())), line)
            .as(SubscriberVlanEntry::new),
        Combinators.combine(index, vlans).as(EncapsulationEntry::new),
        Combinators.combine(
                Arbitraries.integers().between(0, 255),
                bin,
                Arbitraries.integers().between(0, 0xffff))
            .as(PolicyValueEntry::new),
        rateBin,
        Combinators.combine(bin, random, random)
            .as((b, x, y) -> new RandomRateEntry(b, Math.min(x, y), Math.max(x, y))),
        Combinators.combine(port, Arbitraries.of(PortRole.values()), direction, flag)
            .as(PortRoleEntry::new),
        Combinators.combine(direction, port).as(SidecarEntry::new),
        Combinators.combine(prefixes(PrefixLengths.ANY), port).as(RouteEntry::new),
        Combinators.combine(
                port, Arbitraries.of(Gain.values()), micros, micros, micros, micros, micros)
            .as(CongestionThresholdEntry::new),
        Combinators.combine(port, mac, mac, flag, flag)
            .as((p, from, to, keep, tag) -> new EgressPortEntry(p, from, to, keep, tag && !tna)));
  }

  private static SubscriberData withLine(SubscriberData data) {
    return new SubscriberData(
        data.index(),
        data.policySlot(),
        data.egressPort(),
        data.queueId(),
        data.shapeDown(),
        data.shapeUp(),
        true);
  }

  private static Arbitrary<SwitchEntry> shaped(
      Arbitrary<Integer> index, Arbitrary<Direction> direction) {
    Arbitrary<Attachment> at =
        Arbitraries.integers().between(0, Attachment.TREES - 1).map(Attachment::ofTreeIndex);
    Arbitrary<Integer> word = Arbitraries.integers().between(0, 0xffff);
    Arbitrary<Integer> port = Arbitraries.integers().between(0, Topology.MAX_PORT);
    return Arbitraries.oneOf(
        Combinators.combine(index, direction, Arbitraries.integers().between(0, 255))
            .as(DirectionPolicyEntry::new),
        Combinators.combine(index, direction, at, word, waits(true)).as(SubscriberLimitEntry::new),
        Combinators.combine(Arbitraries.integers().between(1, 255), waits(false))
            .as(PolicyDelayEntry::new),
        Combinators.combine(
                Arbitraries.integers().between(1, 255), Arbitraries.integers().between(0, 7))
            .as(PolicyFlowsEntry::new),
        Combinators.combine(at, direction, word).as(TreeLimitEntry::new),
        Combinators.combine(Arbitraries.integers().between(0, 7), direction, word)
            .as(PortLimitEntry::new),
        Combinators.combine(
                Arbitraries.integers().between(0, 3),
                Arbitraries.integers().between(0, 511),
                Arbitraries.longs().between(0, 0xffff_ffffL))
            .as(LoopPortEntry::new),
        Combinators.combine(port, port, direction, index).as(WireEntry::new),
        Combinators.combine(port, prefixes(PrefixLengths.ANY), macs())
            .as(
                (p, prefix, mac) ->
                    new NeighbourEntry(
                        p,
                        new IpPrefix(
                            prefix.family(), prefix.hi(), prefix.lo(), prefix.family().bits()),
                        mac)),
        Combinators.combine(port, macs()).as(NextHopEntry::new),
        port.map(ErrorReportEntry::new),
        Combinators.combine(port, Arbitraries.integers().between(1, 255))
            .as(UnknownPolicyEntry::new));
  }

  private static Arbitrary<Long> macs() {
    return Arbitraries.longs().between(0, 0xffff_ffff_ffffL);
  }

  private static Arbitrary<WaitSetting> waits(boolean ofLimit) {
    Arbitrary<Integer> nanos = Arbitraries.integers().between(0, WaitSetting.MAX_NANOS);
    Arbitrary<Long> longest = nanos.map(Integer::longValue);
    Arbitrary<Boolean> flags = Arbitraries.of(true, false);
    return ofLimit
        ? Arbitraries.oneOf(
            Arbitraries.just(WaitSetting.OF_POLICY),
            Combinators.combine(
                    Arbitraries.oneOf(longest, Arbitraries.just(WaitSetting.LONGEST_OF_POLICY)),
                    Arbitraries.just(WaitSetting.Managed.CODEL),
                    nanos,
                    nanos,
                    flags,
                    flags)
                .as(WaitSetting::new))
        : Combinators.combine(
                longest, Arbitraries.of(WaitSetting.Managed.values()), nanos, nanos, flags, flags)
            .as(WaitSetting::new);
  }

  private static Arbitrary<SwitchEntry> metered(
      Arbitrary<Integer> index, Arbitrary<Direction> direction) {
    Arbitrary<Attachment> at =
        Arbitraries.integers()
            .between(0, Attachment.TREES - 1)
            .map(tree -> Attachment.ofTreeIndex(tree));
    Arbitrary<Optional<MeterSetting>> meter =
        Combinators.combine(
                Arbitraries.longs().between(0, Long.MAX_VALUE / 8),
                Arbitraries.longs().greaterOrEqual(0))
            .as((bytesPerSecond, burst) -> new MeterSetting(8 * bytesPerSecond, burst))
            .optional();
    return Arbitraries.oneOf(
        Combinators.combine(index, direction, at, meter).as(SubscriberMeterEntry::new),
        Combinators.combine(at, direction, meter).as(TreeMeterEntry::new),
        Combinators.combine(Arbitraries.integers().between(0, 7), direction, meter)
            .as(PortMeterEntry::new),
        Combinators.combine(Arbitraries.integers().between(0, Topology.MAX_PORT), meter)
            .as(UnknownMeterEntry::new));
  }

  private static Arbitrary<IpPrefix> prefixes(PrefixLengths lengths) {
    Arbitrary<IpPrefix> v4 =
        Combinators.combine(Arbitraries.integers(), length(lengths, Family.V4))
            .as((address, length) -> IpPrefix.v4(address & leading(length, 32), length));
    Arbitrary<IpPrefix> v6 =
        Combinators.combine(Arbitraries.longs(), Arbitraries.longs(), length(lengths, Family.V6))
            .as(
                (hi, lo, length) ->
                    IpPrefix.v6(
                        hi & leadingLong(Math.min(64, length)),
                        lo & leadingLong(Math.max(0, length - 64)),
                        length));
    return Arbitraries.oneOf(v4, v6);
  }

  private static Arbitrary<Integer> length(PrefixLengths lengths, Family family) {
    OptionalInt only = lengths.of(family);
    return only.isPresent()
        ? Arbitraries.just(only.getAsInt())
        : Arbitraries.integers().between(0, family.bits());
  }

  private static int leading(int count, int bits) {
    return count == 0 ? 0 : -1 << (bits - count);
  }

  private static long leadingLong(int count) {
    return count == 0 ? 0 : -1L << (64 - count);
  }
}
