package net.sluice.emulator.server.gnmi;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import net.sluice.emulator.netsim.PortCounters;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.server.gnmi.TreeNode.Branch;
import net.sluice.emulator.server.gnmi.TreeNode.EntryList;
import net.sluice.emulator.server.gnmi.TreeNode.Kind;

/** {@code /interfaces}: openconfig-interfaces with openconfig-if-ethernet. */
final class InterfacesModel {

  static final String INTERFACES = "openconfig-interfaces";
  static final String ETHERNET = "openconfig-if-ethernet";
  private static final String P4RT = "openconfig-p4rt";

  private static final LeafType TYPE = LeafType.identity("iana-if-type", List.of("ethernetCsmacd"));
  private static final LeafType ADMIN = LeafType.oneOf(List.of("UP", "DOWN"));
  private static final LeafType OPER = LeafType.oneOf(List.of("UP", "DOWN"));
  private static final LeafType SPEED = LeafType.identity(ETHERNET, PortSpeeds.names());

  private final PortDirectory ports;
  private final Supplier<ConfigStore> config;
  private final Map<String, Long> changes = new HashMap<>();
  private final Map<String, Long> transitions = new HashMap<>();
  private final Map<String, Boolean> up = new HashMap<>();

  InterfacesModel(PortDirectory ports, Supplier<ConfigStore> config, long startEpochNanos) {
    this.ports = ports;
    this.config = config;
    for (PortDirectory.Served served : ports.all()) {
      changes.put(served.name(), startEpochNanos);
      up.put(served.name(), served.port().isUp());
    }
  }

  /** A port may have come up or gone down now. */
  void portChanged(SwitchPort port, long epochNanos) {
    for (PortDirectory.Served served : ports.all()) {
      if (served.port() == port && up.get(served.name()) != port.isUp()) {
        up.put(served.name(), port.isUp());
        changes.put(served.name(), epochNanos);
        transitions.merge(served.name(), 1L, Long::sum);
      }
    }
  }

  /** Where {@code enabled} of an interface is configured. */
  static List<String> enabledPlace(String name) {
    return List.of("interfaces", "interface", name, "config", "enabled");
  }

  /** Where the speed of an interface is configured. */
  static List<String> speedPlace(String name) {
    return List.of("interfaces", "interface", name, "ethernet", "config", "port-speed");
  }

  void addTo(Branch root) {
    root.branch("interfaces", INTERFACES)
        .add(
            new EntryList(
                "interface",
                INTERFACES,
                List.of("name"),
                LeafType.TEXT,
                false,
                ports::names,
                this::entry));
  }

  private Branch entry(String name) {
    Supplier<SwitchPort> port = () -> ports.get(name).port();
    Branch entry = new Branch("interface", INTERFACES);
    entry.leaf("name", LeafType.TEXT, Kind.KEY, () -> name);
    entry
        .branch("config")
        .fixed(INTERFACES, "name", LeafType.TEXT, () -> name)
        .fixed(INTERFACES, "type", TYPE, () -> "ethernetCsmacd")
        .leaf(
            "enabled",
            LeafType.TRUTH,
            Kind.CONFIG,
            () -> {
              Object set = config.get().get(enabledPlace(name));
              return set == null ? true : set;
            });
    Branch state =
        entry
            .branch("state")
            .leaf("name", LeafType.TEXT, Kind.STATE, () -> name)
            .leaf("type", TYPE, Kind.STATE, () -> "ethernetCsmacd")
            .leaf("enabled", LeafType.TRUTH, Kind.STATE, () -> port.get().enabled())
            .leaf("ifindex", LeafType.NUMBER, Kind.OPERATIONAL, () -> (long) port.get().number())
            .leaf(P4RT, "id", LeafType.NUMBER, Kind.OPERATIONAL, () -> (long) port.get().number())
            .leaf(
                "admin-status", ADMIN, Kind.OPERATIONAL, () -> port.get().enabled() ? "UP" : "DOWN")
            .leaf("oper-status", OPER, Kind.OPERATIONAL, () -> port.get().isUp() ? "UP" : "DOWN")
            .leaf("last-change", LeafType.LONG_NUMBER, Kind.OPERATIONAL, () -> changes.get(name));
    Branch counters = state.branch("counters");
    counters(counters, port);
    counters.counter("carrier-transitions", () -> transitions.getOrDefault(name, 0L));
    Branch ethernet = entry.branch("ethernet", ETHERNET);
    ethernet.branch("config").leaf("port-speed", SPEED, Kind.CONFIG, () -> configuredSpeed(name));
    ethernet
        .branch("state")
        .leaf(
            "port-speed",
            LeafType.identity(ETHERNET, List.of()),
            Kind.STATE,
            () -> PortSpeeds.name(port.get().rateBps()))
        .leaf(
            "negotiated-port-speed",
            LeafType.identity(ETHERNET, List.of()),
            Kind.OPERATIONAL,
            () -> PortSpeeds.name(port.get().rateBps()));
    return entry;
  }

  /** A port without a client's setting has the speed it started with, if that has a name. */
  private Object configuredSpeed(String name) {
    Object set = config.get().get(speedPlace(name));
    if (set != null) {
      return set;
    }
    String initial = PortSpeeds.name(ports.get(name).rateBps());
    return initial.equals(PortSpeeds.UNKNOWN) ? null : initial;
  }

  private static void counters(Branch counters, Supplier<SwitchPort> port) {
    add(counters, port, "in-octets", PortCounters::inOctets);
    add(
        counters,
        port,
        "in-pkts",
        c -> c.inUnicastPackets() + c.inMulticastPackets() + c.inBroadcastPackets());
    add(counters, port, "in-unicast-pkts", PortCounters::inUnicastPackets);
    add(counters, port, "in-broadcast-pkts", PortCounters::inBroadcastPackets);
    add(counters, port, "in-multicast-pkts", PortCounters::inMulticastPackets);
    add(counters, port, "in-discards", PortCounters::inDiscards);
    add(counters, port, "in-errors", PortCounters::inErrors);
    // Frames have no check sequence here, and every protocol is the program's business.
    add(counters, port, "in-unknown-protos", c -> 0L);
    add(counters, port, "in-fcs-errors", c -> 0L);
    add(counters, port, "out-octets", PortCounters::outOctets);
    add(
        counters,
        port,
        "out-pkts",
        c -> c.outUnicastPackets() + c.outMulticastPackets() + c.outBroadcastPackets());
    add(counters, port, "out-unicast-pkts", PortCounters::outUnicastPackets);
    add(counters, port, "out-broadcast-pkts", PortCounters::outBroadcastPackets);
    add(counters, port, "out-multicast-pkts", PortCounters::outMulticastPackets);
    add(counters, port, "out-discards", PortCounters::outDiscards);
    add(counters, port, "out-errors", PortCounters::outErrors);
  }

  private static void add(
      Branch counters,
      Supplier<SwitchPort> port,
      String name,
      Function<PortCounters, Long> counter) {
    counters.counter(name, () -> counter.apply(port.get().counters()));
  }
}
