package net.sluice.pipeconf;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.plan.Gain;
import net.sluice.intents.plan.PortRole;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.SwitchEntry.CongestionThresholdEntry;
import net.sluice.intents.plan.SwitchEntry.EgressPortEntry;
import net.sluice.intents.plan.SwitchEntry.EncapsulationEntry;
import net.sluice.intents.plan.SwitchEntry.PolicyValueEntry;
import net.sluice.intents.plan.SwitchEntry.PortRoleEntry;
import net.sluice.intents.plan.SwitchEntry.RandomRateEntry;
import net.sluice.intents.plan.SwitchEntry.RateBinEntry;
import net.sluice.intents.plan.SwitchEntry.RouteEntry;
import net.sluice.intents.plan.SwitchEntry.SidecarEntry;
import net.sluice.intents.plan.SwitchEntry.SubscriberData;
import net.sluice.intents.plan.SwitchEntry.SubscriberPrefixEntry;
import net.sluice.intents.plan.SwitchEntry.SubscriberVlanEntry;

/** Entries of every table: chosen ones, and any that the tables can hold. */
final class Entries {
  private static final SubscriberData ALICE = new SubscriberData(1, 2, 3, 0x2468, true, false);
  private static final SubscriberData LAST =
      new SubscriberData(0xfffff, 63, 510, 0x3fff8, false, true);

  private Entries() {}

  /** At least one of every table and shape. */
  static List<SwitchEntry> samples() {
    return List.of(
        new SubscriberPrefixEntry(IpPrefix.parse("10.0.0.1/32"), ALICE),
        new SubscriberPrefixEntry(IpPrefix.parse("0.0.0.0/0"), LAST),
        new SubscriberPrefixEntry(IpPrefix.parse("0.0.0.0/8"), LAST),
        new SubscriberPrefixEntry(IpPrefix.parse("2001:db8:0:ff00::/56"), ALICE),
        new SubscriberPrefixEntry(IpPrefix.parse("::1/128"), LAST),
        new SubscriberVlanEntry(0, VlanTags.pair(100, 7), ALICE),
        new SubscriberVlanEntry(510, VlanTags.single(4094), LAST),
        new EncapsulationEntry(1, VlanTags.pair(100, 7)),
        new EncapsulationEntry(0xfffff, VlanTags.single(256)),
        new PolicyValueEntry(1, 0, 65_535),
        new PolicyValueEntry(63, 1023, 0),
        new RateBinEntry(0, 0, 23_637),
        new RateBinEntry(1023, 0x8000_0000L, 0xffff_ffffL),
        new RandomRateEntry(0, 1023),
        new RandomRateEntry(255, 0),
        new PortRoleEntry(0, PortRole.ACCESS, Direction.UP),
        new PortRoleEntry(510, PortRole.SIDECAR, Direction.DOWN),
        new SidecarEntry(Direction.DOWN, 8),
        new SidecarEntry(Direction.UP, 9),
        new RouteEntry(IpPrefix.parse("0.0.0.0/0"), 64),
        new RouteEntry(IpPrefix.parse("192.0.2.0/24"), 65),
        new RouteEntry(IpPrefix.parse("2001:db8::/32"), 66),
        new CongestionThresholdEntry(1, Gain.FAST, 5000, 15_000, 500, 100_000, 0xffff_ffffL),
        new CongestionThresholdEntry(2, Gain.SLOW, 0, 1, 2, 3, 4),
        new EgressPortEntry(1, 0x0200_0000_0001L, 0xffff_ffff_ffffL, true),
        new EgressPortEntry(2, 0, 1, false));
  }

  /** Any entry that fits the tables. */
  static Arbitrary<SwitchEntry> any() {
    Arbitrary<Integer> port = Arbitraries.integers().between(0, 510);
    Arbitrary<Integer> index = Arbitraries.integers().between(0, 0xfffff);
    Arbitrary<Long> micros = Arbitraries.longs().between(0, 0xffff_ffffL);
    Arbitrary<Long> mac = Arbitraries.longs().between(0, 0xffff_ffff_ffffL);
    Arbitrary<Integer> bin = Arbitraries.integers().between(0, 1023);
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
                flag)
            .as(SubscriberData::new);
    return Arbitraries.oneOf(
        Combinators.combine(prefixes(), data).as(SubscriberPrefixEntry::new),
        Combinators.combine(port, vlans, data).as(SubscriberVlanEntry::new),
        Combinators.combine(index, vlans).as(EncapsulationEntry::new),
        Combinators.combine(
                Arbitraries.integers().between(0, 255),
                bin,
                Arbitraries.integers().between(0, 0xffff))
            .as(PolicyValueEntry::new),
        Combinators.combine(bin, micros, micros)
            .as((b, x, y) -> new RateBinEntry(b, Math.min(x, y), Math.max(x, y))),
        Combinators.combine(Arbitraries.integers().between(0, 255), bin).as(RandomRateEntry::new),
        Combinators.combine(port, Arbitraries.of(PortRole.values()), direction)
            .as(PortRoleEntry::new),
        Combinators.combine(direction, port).as(SidecarEntry::new),
        Combinators.combine(prefixes(), port).as(RouteEntry::new),
        Combinators.combine(
                port, Arbitraries.of(Gain.values()), micros, micros, micros, micros, micros)
            .as(CongestionThresholdEntry::new),
        Combinators.combine(port, mac, mac, flag).as(EgressPortEntry::new));
  }

  private static Arbitrary<IpPrefix> prefixes() {
    Arbitrary<IpPrefix> v4 =
        Combinators.combine(Arbitraries.integers(), Arbitraries.integers().between(0, 32))
            .as((address, length) -> IpPrefix.v4(address & leading(length, 32), length));
    Arbitrary<IpPrefix> v6 =
        Combinators.combine(
                Arbitraries.longs(), Arbitraries.longs(), Arbitraries.integers().between(0, 128))
            .as(
                (hi, lo, length) ->
                    IpPrefix.v6(
                        hi & leadingLong(Math.min(64, length)),
                        lo & leadingLong(Math.max(0, length - 64)),
                        length));
    return Arbitraries.oneOf(v4, v6);
  }

  private static int leading(int count, int bits) {
    return count == 0 ? 0 : -1 << (bits - count);
  }

  private static long leadingLong(int count) {
    return count == 0 ? 0 : -1L << (64 - count);
  }
}
