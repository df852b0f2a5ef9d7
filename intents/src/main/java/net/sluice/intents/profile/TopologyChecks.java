package net.sluice.intents.profile;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.profile.Topology.Route;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.intents.value.Ranges;

/** Demands on the ports of a topology: which of them may be what at once. */
final class TopologyChecks {
  private static final String NOT_ON_A_WIRE = "false: frames leave an end of a wire as they came";

  /** Why nothing else is at that port. */
  private static final String NOT_THE_CONTROLLERS =
      "another port where ports have addresses: packets to and from the controller pass there";

  private TopologyChecks() {}

  static void requireControllerPort(
      List<SwitchPort> ports, List<Integer> loopPorts, OptionalInt mirrorPort) {
    if (ports.stream().noneMatch(port -> port.line().any())) {
      return;
    }
    if (ports.stream().anyMatch(port -> port.number() == Topology.CONTROLLER_PORT)) {
      throw new InvalidValueException(
          "ports.number", Topology.CONTROLLER_PORT, NOT_THE_CONTROLLERS);
    }
    if (loopPorts.contains(Topology.CONTROLLER_PORT)) {
      throw new InvalidValueException("loopPorts", Topology.CONTROLLER_PORT, NOT_THE_CONTROLLERS);
    }
    if (mirrorPort.isPresent() && mirrorPort.getAsInt() == Topology.CONTROLLER_PORT) {
      throw new InvalidValueException("mirrorPort", Topology.CONTROLLER_PORT, NOT_THE_CONTROLLERS);
    }
  }

  static void requireWires(
      List<Wire> wires,
      List<SwitchPort> ports,
      Map<Integer, Integer> bngPorts,
      List<Route> routes) {
    Set<Integer> ends = new HashSet<>();
    for (Wire wire : wires) {
      requireEnd("wires.access", wire.access(), PortRole.ACCESS, Direction.UP, ports);
      requireEnd("wires.core", wire.core(), PortRole.CORE, Direction.DOWN, ports);
      for (int port : wire.ports()) {
        if (!ends.add(port)) {
          throw new InvalidValueException("wires", port, "each port in one wire");
        }
      }
    }
    for (Map.Entry<Integer, Integer> bngPort : new TreeMap<>(bngPorts).entrySet()) {
      if (wires.stream().anyMatch(wire -> wire.core() == bngPort.getValue())) {
        throw new InvalidValueException(
            "bngPorts." + bngPort.getKey(),
            bngPort.getValue(),
            "a port towards subscribers: of a wire the access end");
      }
    }
    for (Route route : routes) {
      if (ends.contains(route.port())) {
        throw new InvalidValueException(
            "routes.port",
            route.port(),
            "a port that is no end of a wire: nothing is routed there");
      }
    }
    for (SwitchPort port : ports) {
      if (!wires.isEmpty() && port.role() == PortRole.SIDECAR) {
        throw new InvalidValueException(
            "ports.role", "\"sidecar\"", Topology.NO_SIDECAR_BESIDE_WIRES);
      }
      if (ends.contains(port.number()) && port.keepPacketValue()) {
        throw new InvalidValueException("ports.keepPacketValue", true, NOT_ON_A_WIRE);
      }
      if (ends.contains(port.number()) && port.line().any()) {
        throw new InvalidValueException(
            "ports.addresses", port.line().own().get(0), "absent: an end of a wire has none");
      }
      if (ends.contains(port.number()) && port.priorityTag()) {
        throw new InvalidValueException("ports.priorityTag", true, NOT_ON_A_WIRE);
      }
    }
  }

  private static void requireEnd(
      String field, int number, PortRole role, Direction direction, List<SwitchPort> ports) {
    String known =
        ports.stream()
            .filter(port -> port.role() == role && port.direction() == direction)
            .map(port -> Integer.toString(port.number()))
            .sorted()
            .collect(Collectors.joining(", "));
    if (ports.stream()
        .noneMatch(
            port ->
                port.number() == number && port.role() == role && port.direction() == direction)) {
      throw new InvalidValueException(
          field,
          number,
          String.format(
              Locale.ROOT,
              "a port of role %s and direction %s: %s",
              role.text(),
              direction.text(),
              known.isEmpty() ? "there is none" : known));
    }
  }

  static void requireLoops(List<Integer> loopPorts, OptionalInt mirrorPort, Set<Integer> others) {
    if (!loopPorts.isEmpty() && loopPorts.size() != Topology.PIPES) {
      throw new InvalidValueException(
          "loopPorts",
          loopPorts,
          Topology.PIPES + " ports, or absent where the switch is not to shape");
    }
    Set<Integer> used = new HashSet<>(others);
    mirrorPort.ifPresent(used::add);
    for (int port : loopPorts) {
      Ranges.require("loopPorts", port, 0, Topology.MAX_PORT);
      if (!used.add(port)) {
        throw new InvalidValueException("loopPorts", port, "ports that nothing else uses");
      }
    }
  }
}
