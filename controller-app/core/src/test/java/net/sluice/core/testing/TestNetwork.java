package net.sluice.core.testing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import net.sluice.core.ControllerConfig;
import net.sluice.core.ControllerConfig.Comparing;
import net.sluice.core.ControllerConfig.DeletionLimit;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.store.IntentStore;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.profile.AqmProfile;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.intents.profile.PrefixLengths;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.intents.profile.Topology.Trunk;
import net.sluice.intents.value.Direction;

/** A small network, and short ways to write declarations. */
public final class TestNetwork {
  private TestNetwork() {}

  /** BNG ports 0 and 1 on switch ports 1 and 2, sidecars on 3 and 4, the core on 5. */
  public static Topology topology() {
    return new Topology(
        List.of(
            port(1, PortRole.ACCESS, Direction.UP, true),
            port(2, PortRole.ACCESS, Direction.UP, true),
            port(3, PortRole.SIDECAR, Direction.DOWN, false),
            port(4, PortRole.SIDECAR, Direction.UP, false),
            port(5, PortRole.CORE, Direction.DOWN, true)),
        Map.of(0, 1, 1, 2),
        OptionalInt.of(3),
        OptionalInt.of(4),
        List.of(new Topology.Route(IpPrefix.parse("0.0.0.0/0"), 5)));
  }

  /** The same with a trunk port, 6, whose packets go {@code direction}, and trunks. */
  public static Topology topology(Direction direction, Trunk... trunks) {
    Topology plain = topology();
    List<SwitchPort> ports = new ArrayList<>(plain.ports());
    ports.add(new SwitchPort(6, PortRole.TRUNK, direction, 10_000_000_000L, 1, 2, true, true));
    return new Topology(
        ports,
        plain.bngPorts(),
        plain.sidecarDown(),
        plain.sidecarUp(),
        plain.routes(),
        plain.mirrorPort(),
        List.of(trunks));
  }

  private static SwitchPort port(int number, PortRole role, Direction direction, boolean drops) {
    return new SwitchPort(
        number,
        role,
        direction,
        10_000_000_000L,
        0x020000000000L | number,
        0x0200000000ffL,
        false,
        drops);
  }

  /** A switch with room for {@code subscribers}. */
  public static SwitchProfile switchProfile(int subscribers) {
    return switchProfile(subscribers, 64);
  }

  /** The same with so many policy slots, the first of which is nobody's. */
  public static SwitchProfile switchProfile(int subscribers, int policySlots) {
    return new SwitchProfile(
            subscribers,
            2 * subscribers,
            2 * subscribers,
            subscribers,
            subscribers,
            policySlots,
            42.306,
            32,
            100e9)
        .withAqm(new AqmProfile(Set.of(AqmKind.values()), 16, 2))
        .withDirectionPolicies(subscribers)
        .withStopping();
  }

  /** The state of what a store of that switch holds. */
  public static CompactSlaState load(IntentStore store) {
    return CompactSlaState.load(
        store,
        new Compiler(topology(), switchProfile(MarkerLayout.MAX_SUBSCRIBERS), fpgaProfile()));
  }

  /**
   * A switch whose pipe 0 has BNG port 0 and whose pipe 1 has BNG port 1, each with two instances
   * that have an IPv4 and an IPv6 table of their own.
   */
  public static SwitchProfile dividedSwitch(int perInstance) {
    return new SwitchProfile(
        new MarkerLayout(
            2, 2, 2, perInstance, OptionalInt.of(2 * perInstance), OptionalInt.of(perInstance)),
        PrefixLengths.ANY,
        8 * perInstance,
        8 * perInstance,
        4 * perInstance,
        4 * perInstance,
        64,
        42.306,
        32,
        OptionalInt.empty(),
        100e9,
        RandomRates.BITS_16);
  }

  /** The published FPGA at 156.25 MHz. */
  public static FpgaProfile fpgaProfile() {
    return FpgaProfile.withClock(156.25e6);
  }

  /** A configuration that does not name endpoints. */
  public static ControllerConfig.Builder config(Path directory) {
    return ControllerConfig.builder(directory, topology(), switchProfile(100_000), fpgaProfile());
  }

  /** Whatever the first comparison finds may be deleted. */
  public static final Comparing ADOPTING =
      new Comparing(Comparing.DEFAULT.auditInterval(), DeletionLimit.DEFAULT, true);

  /** The same with an FPGA of 2 ports of 4 trees, which takes less time to initialise. */
  public static ControllerConfig.Builder smallConfig() {
    return smallConfig(switchProfile(100_000));
  }

  /** The same with another switch. */
  public static ControllerConfig.Builder smallConfig(SwitchProfile switchProfile) {
    return smallConfig(switchProfile, topology());
  }

  /** The same with another switch, cabled otherwise. */
  public static ControllerConfig.Builder smallConfig(
      SwitchProfile switchProfile, Topology topology) {
    FpgaProfile small =
        new FpgaProfile(156.25e6, 1248, 18, 2, 4, 64, 8, 1600, 32_767, 2000, 256 * 1024);
    // Virtual time has one thread: nobody could make room while it waits.
    return ControllerConfig.builder(Path.of("unused"), topology, switchProfile, small)
        .queueCapacity(10_000_000);
  }

  /** Declares a policy with a built-in curve. */
  public static Change policy(String id, BuiltInFunction function) {
    return new Change.Put(new Policy(id, function));
  }

  /** A subscriber of policy gold on BNG port 0, tree 3. */
  public static Subscriber subscriber(String id, String... prefixes) {
    return new Subscriber(
        id,
        "gold",
        Arrays.stream(prefixes).map(IpPrefix::parse).toList(),
        Optional.empty(),
        new Attachment(0, 3));
  }

  /** The same with VLAN tags. */
  public static Subscriber tagged(String id, VlanTags vlans, String... prefixes) {
    Subscriber plain =
        subscriber(id, prefixes.length == 0 ? new String[] {"192.0.2.1/32"} : prefixes);
    return new Subscriber(
        id,
        "gold",
        prefixes.length == 0 ? List.of() : plain.prefixes(),
        Optional.of(vlans),
        plain.attachment());
  }

  /** Declares {@link #subscriber}. */
  public static Change put(String id, String... prefixes) {
    return new Change.Put(subscriber(id, prefixes));
  }

  /** Subscriber {@code i} with one IPv4 address and tags of its own. */
  public static Change numbered(int i) {
    return new Change.Put(
        new Subscriber(
            "sub-" + i,
            "gold",
            List.of(IpPrefix.v4(0x0a000000 + i, 32)),
            Optional.of(VlanTags.pair(1 + i / 4000, 1 + i % 4000)),
            new Attachment(0, i % 64)));
  }

  /** Declares a limit of 50 Mbit/s down and 10 Mbit/s up of a subscriber. */
  public static Change limit(String id, String subscriberId) {
    return limit(id, new Scope.OfSubscriber(subscriberId), 50_000_000, 10_000_000);
  }

  /** Declares a limit; a rate of 0 stands for none. */
  public static Change limit(String id, Scope scope, long downBps, long upBps) {
    return new Change.Put(
        new RateLimit(
            id,
            scope,
            downBps == 0 ? OptionalLong.empty() : OptionalLong.of(downBps),
            upBps == 0 ? OptionalLong.empty() : OptionalLong.of(upBps),
            OptionalInt.empty()));
  }
}
