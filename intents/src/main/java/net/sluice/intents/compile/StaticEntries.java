package net.sluice.intents.compile;

import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.sluice.intents.limit.Limiters;
import net.sluice.intents.marker.Markers;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.forwarding.EgressPortEntry;
import net.sluice.intents.plan.entry.forwarding.NeighbourEntry;
import net.sluice.intents.plan.entry.forwarding.RouteEntry;
import net.sluice.intents.plan.entry.queue.MirrorEntry;
import net.sluice.intents.plan.entry.subscriber.PortRoleEntry;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.SwitchPort;

/** The entries that the switch holds whatever is declared. */
final class StaticEntries {
  private final Topology topology;
  private final WireEntries wires;
  private final Markers markers;
  private final Limiters limiters;
  private final boolean tagsPriorities;
  private final OptionalInt reportPort;
  private volatile Map<SwitchEntry.Key, SwitchEntry> byKey;

  StaticEntries(
      Topology topology,
      WireEntries wires,
      SwitchProfile profile,
      Markers markers,
      Limiters limiters) {
    this.topology = topology;
    this.wires = wires;
    this.tagsPriorities = profile.tagsPriorities();
    this.reportPort = profile.reportPort();
    this.markers = markers;
    this.limiters = limiters;
  }

  /**
   * Port roles come last: a port without a role forwards nothing, so nothing passes unmarked. Wires
   * come first: they pass everything, so that a network that goes over them is down no longer than
   * it has to be.
   */
  Stream<SwitchEntry> entries() {
    return Stream.of(
            wires.entries(),
            markers.baseEntries(),
            topology.routes().stream().map(route -> new RouteEntry(route.prefix(), route.port())),
            limiters.baseEntries(),
            topology.ports().stream()
                .filter(SwitchPort::valueDropping)
                .map(port -> AqmTuning.forPort(port.number(), port.rateBps())),
            IntStream.concat(topology.mirrorPort().stream(), reportPort.stream())
                .mapToObj(MirrorEntry::new),
            routedPorts()
                .map(
                    port ->
                        new EgressPortEntry(
                            port.number(),
                            port.sourceMac(),
                            port.destinationMac(),
                            port.keepPacketValue(),
                            tagsPriorities && port.priorityTag())),
            routedPorts().flatMap(StaticEntries::neighbours),
            routedPorts()
                .map(
                    port ->
                        new PortRoleEntry(
                            port.number(), port.role(), port.direction(), port.dropsUnknown())))
        .flatMap(entries -> entries);
  }

  private static Stream<SwitchEntry> neighbours(SwitchPort port) {
    Stream<SwitchEntry> own =
        port.line().own().stream()
            .map(each -> new NeighbourEntry(port.number(), each.address(), port.sourceMac()));
    Stream<SwitchEntry> nextHop =
        port.line().nextHop().stream().map(hop -> new NeighbourEntry(port.number(), hop, 0));
    return Stream.concat(own, nextHop);
  }

  /** An end of a wire has no role in routing, and nothing is rewritten there. */
  private Stream<SwitchPort> routedPorts() {
    return topology.ports().stream().filter(port -> !topology.isInWire(port.number()));
  }

  /** The entry with the key of {@code actual}; null if there is none. */
  SwitchEntry find(SwitchEntry actual) {
    Map<SwitchEntry.Key, SwitchEntry> known = byKey;
    if (known == null) {
      known = entries().collect(Collectors.toMap(SwitchEntry::key, entry -> entry));
      byKey = known;
    }
    return known.get(actual.key());
  }
}
