package net.sluice.intents.profile;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.policy.Aqm;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.Ids;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.intents.value.Ranges;

/**
 * How one switch is cabled.
 *
 * @param ports the switch's ports, each number once
 * @param bngPorts switch port by BNG port (0..7); several BNG ports may share a switch port
 * @param sidecarDown switch port, of role SIDECAR, of the down FPGA; without it, down rates cannot
 *     be limited
 * @param sidecarUp switch port, of role SIDECAR, of the up FPGA; without it, up rates cannot be
 *     limited
 * @param routes routes of traffic that is not a subscriber's
 * @param mirrorPort switch port by which CoDel-ACT's mirrored packets pass egress once more: one
 *     without a backlog. Without it each of its congestion cycles begins without memory of the last
 * @param loopPorts switch ports, {@link #PIPES} or none, in which packets wait that the switch
 *     shapes; nothing else uses them
 * @param trunks what ports of role TRUNK are joined with; {@link Trunks} says whether that can be
 * @param wires pairs of ports that pass every frame to each other; no port is in two
 */
public record Topology(
    List<SwitchPort> ports,
    Map<Integer, Integer> bngPorts,
    OptionalInt sidecarDown,
    OptionalInt sidecarUp,
    List<Route> routes,
    OptionalInt mirrorPort,
    List<Integer> loopPorts,
    List<Trunk> trunks,
    List<Wire> wires) {
  /** The highest of 9 bits, which drops on v1model. */
  public static final int DROP_PORT = 511;

  /** Pipes in which packets wait: a front one, then three behind it. */
  public static final int PIPES = 4;

  /** Why an FPGA is not beside wires. */
  public static final String NO_SIDECAR_BESIDE_WIRES =
      "another role where there are wires: a frame comes back from an FPGA without the port and the"
          + " addresses that it came with";

  /** Highest switch port number. */
  public static final int MAX_PORT = DROP_PORT - 1;

  /** The port by which packets from and to the controller come in and leave, as in the program. */
  public static final int CONTROLLER_PORT = 500;

  /**
   * A switch port.
   *
   * @param number 0..{@link #MAX_PORT}
   * @param role what it is connected to
   * @param direction direction of the packets that enter it
   * @param rateBps its speed in bit/s
   * @param sourceMac 48-bit source address of frames leaving it
   * @param destinationMac 48-bit destination address of frames leaving it
   * @param keepPacketValue whether frames leaving it keep their packet value header
   * @param valueDropping whether the port's queue is governed by packet values
   * @param aqm how the delay of its class queues is managed, unless a policy says otherwise
   * @param maxCommittedPercent the most that contracts of aggregates may add up to on it, in
   *     percent of its speed, 1 to {@link RateLimit.MAX_PERCENT}
   * @param unknown what becomes of packets that enter it and belong to no subscriber; only an
   *     access port, upstream, drops them
   * @param priorityTag whether frames leaving it keep their priority (IEEE 802.1Q) in a tag of VLAN
   *     0; only of ports of role CORE or TRUNK: other frames have tags of their own
   * @param line the IP addresses on its line
   */
  public record SwitchPort(
      int number,
      PortRole role,
      Direction direction,
      long rateBps,
      long sourceMac,
      long destinationMac,
      boolean keepPacketValue,
      boolean valueDropping,
      Aqm aqm,
      int maxCommittedPercent,
      UnknownTraffic unknown,
      boolean priorityTag,
      LineAddresses line) {
    /** The values of {@code priorityTag} on other ports than those of role CORE and TRUNK. */
    public static final String PRIORITY_TAG_FORM =
        "false, or absent: only ports of role core and trunk tag frames with their priority alone";

    /** No port is promised twice unless its topology says so. */
    public static final int DEFAULT_COMMITTED_PERCENT = 100;

    public SwitchPort {
      Ranges.require("ports.number", number, 0, MAX_PORT);
      if (rateBps < 1) {
        throw new InvalidValueException("ports.rateBps", rateBps, "more than 0 bit/s");
      }
      requireMac("ports.sourceMac", sourceMac);
      requireMac("ports.destinationMac", destinationMac);
      Objects.requireNonNull(aqm, "aqm");
      Ranges.require("ports.maxCommittedPercent", maxCommittedPercent, 1, RateLimit.MAX_PERCENT);
      Objects.requireNonNull(unknown, "unknown");
      if (priorityTag && !canTagPriority(role)) {
        throw new InvalidValueException("ports.priorityTag", true, PRIORITY_TAG_FORM);
      }
      if (line.any() && role == PortRole.SIDECAR) {
        throw new InvalidValueException(
            "ports.addresses", line.own().get(0), "absent: an FPGA asks for no addresses");
      }
    }

    /** A port without addresses. */
    public SwitchPort(
        int number,
        PortRole role,
        Direction direction,
        long rateBps,
        long sourceMac,
        long destinationMac,
        boolean keepPacketValue,
        boolean valueDropping,
        Aqm aqm,
        int maxCommittedPercent,
        UnknownTraffic unknown,
        boolean priorityTag) {
      this(
          number,
          role,
          direction,
          rateBps,
          sourceMac,
          destinationMac,
          keepPacketValue,
          valueDropping,
          aqm,
          maxCommittedPercent,
          unknown,
          priorityTag,
          LineAddresses.NONE);
    }

    /** The same port with addresses. */
    public SwitchPort withLine(LineAddresses addresses) {
      return new SwitchPort(
          number,
          role,
          direction,
          rateBps,
          sourceMac,
          addresses.nextHop().isPresent() ? 0 : destinationMac,
          keepPacketValue,
          valueDropping,
          aqm,
          maxCommittedPercent,
          unknown,
          priorityTag,
          addresses);
    }

    /** A port that drops what belongs to no subscriber, if it is an access port. */
    public SwitchPort(
        int number,
        PortRole role,
        Direction direction,
        long rateBps,
        long sourceMac,
        long destinationMac,
        boolean keepPacketValue,
        boolean valueDropping,
        Aqm aqm,
        int maxCommittedPercent) {
      this(
          number,
          role,
          direction,
          rateBps,
          sourceMac,
          destinationMac,
          keepPacketValue,
          valueDropping,
          aqm,
          maxCommittedPercent,
          UnknownTraffic.DROP,
          false);
    }

    /** The same port with another treatment of packets that belong to no subscriber. */
    public SwitchPort withUnknown(UnknownTraffic other) {
      return new SwitchPort(
          number,
          role,
          direction,
          rateBps,
          sourceMac,
          destinationMac,
          keepPacketValue,
          valueDropping,
          aqm,
          maxCommittedPercent,
          other,
          priorityTag,
          line);
    }

    /** True if frames that leave a port of that role can have a tag of VLAN 0. */
    public static boolean canTagPriority(PortRole role) {
      return role == PortRole.CORE || role == PortRole.TRUNK;
    }

    /** True if packets that enter the port and belong to no subscriber are dropped. */
    public boolean dropsUnknown() {
      return role == PortRole.ACCESS && direction == Direction.UP && unknown == UnknownTraffic.DROP;
    }

    /** A port whose speed is promised once. */
    public SwitchPort(
        int number,
        PortRole role,
        Direction direction,
        long rateBps,
        long sourceMac,
        long destinationMac,
        boolean keepPacketValue,
        boolean valueDropping,
        Aqm aqm) {
      this(
          number,
          role,
          direction,
          rateBps,
          sourceMac,
          destinationMac,
          keepPacketValue,
          valueDropping,
          aqm,
          DEFAULT_COMMITTED_PERCENT);
    }

    /** A port whose class queues are not managed. */
    public SwitchPort(
        int number,
        PortRole role,
        Direction direction,
        long rateBps,
        long sourceMac,
        long destinationMac,
        boolean keepPacketValue,
        boolean valueDropping) {
      this(
          number,
          role,
          direction,
          rateBps,
          sourceMac,
          destinationMac,
          keepPacketValue,
          valueDropping,
          Aqm.NONE);
    }

    private static void requireMac(String field, long mac) {
      if (mac >>> 48 != 0) {
        throw new InvalidValueException(field, Long.toHexString(mac), "48 bits");
      }
    }
  }

  /** Packets to {@code prefix} leave by switch port {@code port}. */
  public record Route(IpPrefix prefix, int port) {}

  /**
   * A line to another switch, over which packets keep their packet values.
   *
   * @param port the switch's own port
   * @param toSwitch name of the switch at the other end
   * @param toPort its port
   */
  public record Trunk(int port, String toSwitch, int toPort) {
    public Trunk {
      Ids.require("trunks.toSwitch", toSwitch);
    }
  }

  public Topology {
    ports = List.copyOf(ports);
    routes = List.copyOf(routes);
    loopPorts = List.copyOf(loopPorts);
    trunks = List.copyOf(trunks);
    wires = List.copyOf(wires);
    bngPorts = Map.copyOf(bngPorts);
    Set<Integer> numbers = new HashSet<>();
    for (SwitchPort port : ports) {
      if (!numbers.add(port.number())) {
        throw new InvalidValueException("ports.number", port.number(), "each port once");
      }
    }
    for (Map.Entry<Integer, Integer> entry : new TreeMap<>(bngPorts).entrySet()) {
      Ranges.require("bngPorts", entry.getKey(), 0, Attachment.MAX_PORT);
      requireKnown("bngPorts." + entry.getKey(), entry.getValue(), numbers);
    }
    requireSidecar("sidecarDown", sidecarDown, Direction.DOWN, ports);
    requireSidecar("sidecarUp", sidecarUp, Direction.UP, ports);
    Set<IpPrefix> prefixes = new HashSet<>();
    for (Route route : routes) {
      requireKnown("routes.port", route.port(), numbers);
      if (!prefixes.add(route.prefix())) {
        throw new InvalidValueException("routes.prefix", route.prefix(), "each prefix once");
      }
    }
    if (mirrorPort.isPresent()) {
      Ranges.require("mirrorPort", mirrorPort.getAsInt(), 0, MAX_PORT);
    }
    TopologyChecks.requireLoops(loopPorts, mirrorPort, numbers);
    TopologyChecks.requireWires(wires, ports, bngPorts, routes);
    TopologyChecks.requireControllerPort(ports, loopPorts, mirrorPort);
  }

  /** A topology without a port for mirrored packets and without trunks. */
  public Topology(
      List<SwitchPort> ports,
      Map<Integer, Integer> bngPorts,
      OptionalInt sidecarDown,
      OptionalInt sidecarUp,
      List<Route> routes) {
    this(ports, bngPorts, sidecarDown, sidecarUp, routes, OptionalInt.empty(), List.of());
  }

  /** A topology without wires. */
  public Topology(
      List<SwitchPort> ports,
      Map<Integer, Integer> bngPorts,
      OptionalInt sidecarDown,
      OptionalInt sidecarUp,
      List<Route> routes,
      OptionalInt mirrorPort,
      List<Integer> loopPorts,
      List<Trunk> trunks) {
    this(ports, bngPorts, sidecarDown, sidecarUp, routes, mirrorPort, loopPorts, trunks, List.of());
  }

  /** A topology whose switch does not shape. */
  public Topology(
      List<SwitchPort> ports,
      Map<Integer, Integer> bngPorts,
      OptionalInt sidecarDown,
      OptionalInt sidecarUp,
      List<Route> routes,
      OptionalInt mirrorPort,
      List<Trunk> trunks) {
    this(ports, bngPorts, sidecarDown, sidecarUp, routes, mirrorPort, List.of(), trunks);
  }

  /** The same cabling with other routes. */
  public Topology withRoutes(List<Route> others) {
    return new Topology(
        ports, bngPorts, sidecarDown, sidecarUp, others, mirrorPort, loopPorts, trunks, wires);
  }

  /** The same cabling with wires. */
  public Topology withWires(List<Wire> others) {
    return new Topology(
        ports, bngPorts, sidecarDown, sidecarUp, routes, mirrorPort, loopPorts, trunks, others);
  }

  /** The ports by which packets of subscribers come in, with the way they go from there. */
  public Map<Integer, Direction> entrances() {
    return ports.stream()
        .filter(port -> port.role() == PortRole.ACCESS || port.role() == PortRole.CORE)
        .collect(Collectors.toUnmodifiableMap(SwitchPort::number, SwitchPort::direction));
  }

  /** True if a switch port is an end of a wire. */
  public boolean isInWire(int port) {
    return wires.stream().anyMatch(wire -> wire.ports().contains(port));
  }

  /** The same cabling with loop ports. */
  public Topology withLoopPorts(List<Integer> loops) {
    return new Topology(
        ports, bngPorts, sidecarDown, sidecarUp, routes, mirrorPort, loops, trunks, wires);
  }

  /** The switch port of a BNG port, empty if it is not connected. */
  public OptionalInt switchPort(int bngPort) {
    Integer port = bngPorts.get(bngPort);
    return port == null ? OptionalInt.empty() : OptionalInt.of(port);
  }

  /** True if the BNG port is connected by that switch port. */
  public boolean leadsTo(int bngPort, int switchPort) {
    Integer port = bngPorts.get(bngPort);
    return port != null && port == switchPort;
  }

  /** The sidecar's switch port of a direction. */
  public OptionalInt sidecar(Direction direction) {
    return direction == Direction.DOWN ? sidecarDown : sidecarUp;
  }

  /** The port with that number. */
  public Optional<SwitchPort> port(int number) {
    return ports.stream().filter(p -> p.number() == number).findFirst();
  }

  /** The connected BNG ports as text, for messages, e.g. {@code 0, 1}. */
  public String connectedBngPorts() {
    return bngPorts.isEmpty()
        ? "none"
        : bngPorts.keySet().stream()
            .sorted()
            .map(String::valueOf)
            .collect(Collectors.joining(", "));
  }

  private static void requireSidecar(
      String field, OptionalInt sidecar, Direction direction, List<SwitchPort> ports) {
    if (sidecar.isEmpty()) {
      return;
    }
    boolean found =
        ports.stream()
            .anyMatch(
                port ->
                    port.number() == sidecar.getAsInt()
                        && port.role() == PortRole.SIDECAR
                        && port.direction() == direction);
    if (!found) {
      throw new InvalidValueException(
          field, sidecar.getAsInt(), "a port with role SIDECAR and direction " + direction.text());
    }
  }

  private static void requireKnown(String field, int port, Set<Integer> numbers) {
    if (!numbers.contains(port)) {
      String known =
          numbers.stream().sorted().map(String::valueOf).collect(Collectors.joining(", "));
      throw new InvalidValueException(field, port, "a port of the switch: " + known);
    }
  }
}
