package net.sluice.intents.compile;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.model.policy.Aqm;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.intents.profile.PrefixLengths;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.Route;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.intents.state.InMemorySlaState;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;

/** A small network, and short ways to declare things in it. */
final class Network {
  static final SwitchProfile SWITCH =
      new SwitchProfile(1 << 20, 1 << 20, 1 << 19, 1 << 20, 1 << 20, 64, 42.306, 32, 100e9);
  static final SwitchProfile SMALL_SWITCH = new SwitchProfile(8, 10, 6, 3, 3, 4, 42.306, 32, 100e9);

  /**
   * Two pipes of two instances of two subscribers and three IPv4 prefixes; BNG port 0 is in one.
   */
  static final SwitchProfile DIVIDED_SWITCH = divided(2, 2, OptionalInt.of(3));

  static final FpgaProfile FPGA = FpgaProfile.withClock(156.25e6);
  static final FpgaProfile SMALL_FPGA =
      new FpgaProfile(156.25e6, 1248, 18, 8, 64, 2, 8, 1600, 32_767, 2000, 65_536);

  static final Aqm CODEL = new Aqm.CoDel(AqmKind.CODEL_ACT, 5_000, 100_000, false);

  private Network() {}

  /** A switch whose pipe 0 has BNG port 0 and whose other pipe, if any, has 1 and 2. */
  static SwitchProfile divided(int pipes, int instances, OptionalInt v4PrefixesPerInstance) {
    return divided(pipes, instances, v4PrefixesPerInstance, OptionalInt.empty());
  }

  /** The same with room for so many IPv6 prefixes in an instance. */
  static SwitchProfile divided(
      int pipes,
      int instances,
      OptionalInt v4PrefixesPerInstance,
      OptionalInt v6PrefixesPerInstance) {
    return new SwitchProfile(
        new MarkerLayout(pipes, 3, instances, 2, v4PrefixesPerInstance, v6PrefixesPerInstance),
        PrefixLengths.ANY,
        40,
        40,
        10,
        10,
        4,
        42.306,
        32,
        OptionalInt.empty(),
        100e9,
        RandomRates.BITS_16);
  }

  /** Ports: 1 core, 2 access (BNG 0), 3 access (BNG 1 and 2), 4 and 5 sidecars. */
  static Topology topology() {
    return topology(OptionalInt.of(4), OptionalInt.of(5));
  }

  static Topology topology(OptionalInt sidecarDown, OptionalInt sidecarUp) {
    return new Topology(
        List.of(
            new SwitchPort(
                1, PortRole.CORE, Direction.DOWN, 1_000_000_000, 0xa1, 0xb1, false, true),
            new SwitchPort(2, PortRole.ACCESS, Direction.UP, 100_000_000, 0xa2, 0xb2, false, true),
            new SwitchPort(3, PortRole.ACCESS, Direction.UP, 10_000_000, 0xa3, 0xb3, false, true),
            new SwitchPort(
                4, PortRole.SIDECAR, Direction.DOWN, 1_000_000_000, 0xa4, 0xb4, true, false),
            new SwitchPort(
                5, PortRole.SIDECAR, Direction.UP, 1_000_000_000, 0xa5, 0xb5, true, false)),
        Map.of(0, 2, 1, 3, 2, 3),
        sidecarDown,
        sidecarUp,
        List.of(new Route(IpPrefix.parse("0.0.0.0/0"), 1), new Route(IpPrefix.parse("::/0"), 1)));
  }

  /** The same with a port whose queues are managed by {@link #CODEL}. */
  static Topology managed(Topology topology, int port) {
    return managed(topology, port, CODEL);
  }

  static Topology managed(Topology topology, int port, Aqm aqm) {
    List<SwitchPort> ports =
        topology.ports().stream()
            .map(
                p ->
                    new SwitchPort(
                        p.number(),
                        p.role(),
                        p.direction(),
                        p.rateBps(),
                        p.sourceMac(),
                        p.destinationMac(),
                        p.keepPacketValue(),
                        p.valueDropping(),
                        p.number() == port ? aqm : p.aqm()))
            .toList();
    return new Topology(
        ports,
        topology.bngPorts(),
        topology.sidecarDown(),
        topology.sidecarUp(),
        topology.routes(),
        topology.mirrorPort(),
        topology.trunks());
  }

  static Compiler compiler() {
    return new Compiler(topology(), SWITCH, FPGA);
  }

  static Subscriber subscriber(String id, String policy, int port, int tree, String... prefixes) {
    return new Subscriber(
        id,
        policy,
        Stream.of(prefixes).map(IpPrefix::parse).toList(),
        Optional.empty(),
        new Attachment(port, tree));
  }

  static Subscriber tagged(Subscriber subscriber, VlanTags vlans) {
    return new Subscriber(
        subscriber.id(),
        subscriber.policyId(),
        subscriber.prefixes(),
        Optional.of(vlans),
        subscriber.attachment());
  }

  static Change put(Subscriber subscriber) {
    return new Change.Put(subscriber);
  }

  static Change policy(String id, BuiltInFunction function) {
    return new Change.Put(new Policy(id, function));
  }

  /** A rate or burst of 0 stands for an absent one. */
  static Change limit(String id, Scope scope, long downBps, long upBps, int burstBytes) {
    return new Change.Put(
        new RateLimit(
            id,
            scope,
            downBps == 0 ? OptionalLong.empty() : OptionalLong.of(downBps),
            upBps == 0 ? OptionalLong.empty() : OptionalLong.of(upBps),
            burstBytes == 0 ? OptionalInt.empty() : OptionalInt.of(burstBytes)));
  }

  /** Compiles and applies a change that must be acceptable. */
  static Plan apply(Compiler compiler, InMemorySlaState state, Change change) {
    try {
      Plan plan = compiler.compile(state, change);
      state.apply(plan);
      return plan;
    } catch (Refusal refusal) {
      throw new AssertionError(change + " was refused", refusal);
    }
  }

  /** A state with policies gold (slot 1) and silver (slot 2). */
  static InMemorySlaState withPolicies(Compiler compiler) {
    InMemorySlaState state = new InMemorySlaState(compiler.switchProfile().markers());
    apply(compiler, state, policy("gold", BuiltInFunction.GOLD));
    apply(compiler, state, policy("silver", BuiltInFunction.SILVER));
    return state;
  }
}
