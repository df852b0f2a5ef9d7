package net.sluice.rest.switches;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.policy.Aqm;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.profile.LineAddresses;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.Route;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.intents.profile.Topology.Trunk;
import net.sluice.intents.profile.UnknownTraffic;
import net.sluice.intents.profile.Wire;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.Ids;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.northbound.json.JsonText;
import net.sluice.rest.form.AqmForm;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.json.ObjectReader;

/** How a switch is cabled, as JSON (docs/operators-guide.md describes the fields). */
public final class TopologyForm {
  // Locally administered addresses; the port number is their last part.
  private static final long SWITCH_MAC = 0x02_00_00_00_00_00L;
  private static final long NEIGHBOUR_MAC = 0x02_00_00_01_00_00L;

  private static final String PORTS_FORM = "an array of at least one port";
  private static final String RATE = "1 or more bit/s";
  private static final String MAC_FORM = "a unicast address such as \"02:00:00:00:00:01\"";
  private static final Pattern MAC = Pattern.compile("[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){5}");
  private static final long GROUP_BIT = 1L << 40;
  private static final String DESTINATION_MAC = "destinationMac";
  private static final String UNKNOWN = "unknown";
  private static final String UNKNOWN_FORM =
      "absent: it is of ports of role access and direction up";
  private static final String NOT_OF_A_WIRE =
      "absent: the port is an end of a wire, whose frames pass as they are";
  private static final String PRIORITY_TAG = "priorityTag";
  private static final String PREFIX_FORM = "a prefix such as \"0.0.0.0/0\" or \"2001:db8::/32\"";

  private TopologyForm() {}

  /** The topology in a part of a document, whose reader is told what is wrong with it. */
  public static Optional<Topology> read(ObjectReader body) {
    Set<Integer> ends = new HashSet<>();
    List<Wire> wires = WireForm.read(body, ends);
    List<SwitchPort> ports = ports(body, ends);
    Map<Integer, Integer> bngPorts = bngPorts(body);
    List<Route> routes = routes(body);
    OptionalInt mirrorPort = body.optionalInteger("mirrorPort", 0, Topology.MAX_PORT);
    List<Integer> loopPorts = body.optionalIntegers("loopPorts", 0, Topology.MAX_PORT);
    List<Trunk> trunks = trunks(body);
    body.finish();
    if (!body.sound()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new Topology(
              ports,
              bngPorts,
              sidecar(ports, Direction.DOWN),
              sidecar(ports, Direction.UP),
              routes,
              mirrorPort,
              loopPorts,
              trunks,
              wires));
    } catch (InvalidValueException e) {
      body.invalid(e.field(), e);
      return Optional.empty();
    }
  }

  /** {@code ends}: the ports that are ends of wires. */
  private static List<SwitchPort> ports(ObjectReader body, Set<Integer> ends) {
    List<SwitchPort> ports = new ArrayList<>();
    List<JsonValue> items = body.optionalArray("ports", PORTS_FORM);
    if (body.sound() && items.isEmpty()) {
      body.problem(Code.INVALID, "ports", body.has("ports") ? "[]" : "absent", PORTS_FORM);
    }
    for (int i = 0; i < items.size(); i++) {
      SwitchPort port = port(body.item("ports", i, items.get(i)), ends);
      if (port != null) {
        ports.add(port);
      }
    }
    return ports;
  }

  private static SwitchPort port(ObjectReader item, Set<Integer> ends) {
    OptionalInt number = item.integer("number", 0, Topology.MAX_PORT);
    PortRole role = choice(item, "role", PortRole.values());
    Direction direction = direction(item, role);
    OptionalLong rateBps = item.whole("rateBps");
    if (rateBps.isPresent() && rateBps.getAsLong() < 1) {
      item.problem(Code.INVALID, "rateBps", rateBps.getAsLong(), RATE);
    }
    boolean isEnd = number.isPresent() && ends.contains(number.getAsInt());
    if (isEnd) {
      refuseRouting(item);
    }
    // Nobody but the FPGA sees what is on a sidecar's line, and it looks at no address.
    boolean sidecar = role == PortRole.SIDECAR;
    OptionalLong source =
        item.has("sourceMac") && !isEnd
            ? mac(item, "sourceMac")
            : byDefault(item, "sourceMac", SWITCH_MAC | number.orElse(0));
    LineAddresses line = isEnd ? LineAddresses.NONE : LineForm.read(item, sidecar);
    OptionalLong destination =
        isEnd
                || sidecar && !item.has(DESTINATION_MAC)
                || item.has(LineForm.NEXT_HOP) && !item.has(DESTINATION_MAC)
            ? byDefault(item, DESTINATION_MAC, NEIGHBOUR_MAC | number.orElse(0))
            : mac(item, DESTINATION_MAC);
    boolean keep = item.flag("keepPacketValue", role == PortRole.TRUNK);
    boolean dropping = item.flag("valueDropping", !sidecar);
    Optional<Aqm> aqm = AqmForm.read(item);
    OptionalInt committed = item.optionalInteger("maxCommittedPercent", 1, RateLimit.MAX_PERCENT);
    UnknownTraffic unknown = isEnd ? UnknownTraffic.DROP : unknown(item, role, direction);
    boolean priorityTag = priorityTag(item, role);
    if (item.has(LineForm.NEXT_HOP) && item.has(DESTINATION_MAC)) {
      item.problem(
          Code.INVALID,
          DESTINATION_MAC,
          item.any(DESTINATION_MAC, LineForm.NOT_BESIDE_NEXT_HOP).shown(),
          LineForm.NOT_BESIDE_NEXT_HOP);
    }
    item.finish();
    if (!item.sound()) {
      return null;
    }
    SwitchPort port =
        new SwitchPort(
            number.getAsInt(),
            role,
            direction,
            rateBps.getAsLong(),
            source.getAsLong(),
            destination.getAsLong(),
            keep,
            dropping,
            aqm.orElse(Aqm.NONE),
            committed.orElse(SwitchPort.DEFAULT_COMMITTED_PERCENT),
            unknown,
            priorityTag);
    return port.withLine(line);
  }

  /** Refuses, of an end of a wire, what says how frames are routed, rewritten or let in. */
  private static void refuseRouting(ObjectReader item) {
    for (String name :
        List.of("sourceMac", DESTINATION_MAC, UNKNOWN, LineForm.ADDRESSES, LineForm.NEXT_HOP)) {
      item.know(name);
      if (item.has(name)) {
        item.problem(Code.INVALID, name, item.any(name, NOT_OF_A_WIRE).shown(), NOT_OF_A_WIRE);
      }
    }
  }

  private static UnknownTraffic unknown(ObjectReader item, PortRole role, Direction direction) {
    if (!item.has(UNKNOWN)) {
      item.know(UNKNOWN);
      return UnknownTraffic.DROP;
    }
    UnknownTraffic given = choice(item, UNKNOWN, UnknownTraffic.values());
    boolean known = role != null && direction != null;
    if (given != null && known && (role != PortRole.ACCESS || direction != Direction.UP)) {
      item.problem(Code.INVALID, UNKNOWN, JsonText.quoted(text(given)), UNKNOWN_FORM);
    }
    return given;
  }

  /** The next switch gives frames the priority that they come with. */
  private static boolean priorityTag(ObjectReader item, PortRole role) {
    boolean given = item.flag(PRIORITY_TAG, role == PortRole.TRUNK);
    if (given && role != null && !SwitchPort.canTagPriority(role)) {
      item.problem(Code.INVALID, PRIORITY_TAG, "true", SwitchPort.PRIORITY_TAG_FORM);
    }
    return given;
  }

  /**
   * Packets from the lines go up and those from the core down; for other ports it has to be said.
   */
  private static Direction direction(ObjectReader item, PortRole role) {
    if (!item.has("direction")) {
      item.know("direction");
      if (role == PortRole.ACCESS) {
        return Direction.UP;
      }
      if (role == PortRole.CORE) {
        return Direction.DOWN;
      }
      if (role == null) {
        return null;
      }
    }
    return choice(item, "direction", Direction.values());
  }

  private static <E extends Enum<E>> E choice(ObjectReader item, String name, E[] values) {
    String allowed =
        Arrays.stream(values)
            .map(value -> JsonText.quoted(text(value)))
            .collect(Collectors.joining(", "));
    String given = item.string(name, allowed);
    if (given == null) {
      return null;
    }
    for (E value : values) {
      if (text(value).equals(given)) {
        return value;
      }
    }
    item.problem(Code.INVALID, name, JsonText.quoted(given), allowed);
    return null;
  }

  private static String text(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static OptionalLong byDefault(ObjectReader item, String name, long mac) {
    item.know(name);
    return OptionalLong.of(mac);
  }

  private static OptionalLong mac(ObjectReader item, String name) {
    String given = item.string(name, MAC_FORM);
    if (given == null) {
      return OptionalLong.empty();
    }
    if (MAC.matcher(given).matches()) {
      long mac = Long.parseLong(given.replace(":", ""), 16);
      if ((mac & GROUP_BIT) == 0 && mac != 0) {
        return OptionalLong.of(mac);
      }
    }
    item.problem(Code.INVALID, name, JsonText.quoted(given), MAC_FORM);
    return OptionalLong.empty();
  }

  private static Map<Integer, Integer> bngPorts(ObjectReader body) {
    Map<Integer, Integer> bngPorts = new HashMap<>();
    Optional<ObjectReader> given = body.optionalObject("bngPorts");
    if (given.isPresent() && given.get().isObject()) {
      ObjectReader item = given.get();
      for (int bngPort = 0; bngPort <= Attachment.MAX_PORT; bngPort++) {
        int key = bngPort;
        item.optionalInteger(Integer.toString(bngPort), 0, Topology.MAX_PORT)
            .ifPresent(port -> bngPorts.put(key, port));
      }
      item.finish();
    }
    return bngPorts;
  }

  private static List<Route> routes(ObjectReader body) {
    List<Route> routes = new ArrayList<>();
    List<JsonValue> items = body.optionalArray("routes", "an array of routes");
    for (int i = 0; i < items.size(); i++) {
      ObjectReader item = body.item("routes", i, items.get(i));
      String prefix = item.string("prefix", PREFIX_FORM);
      OptionalInt port = item.integer("port", 0, Topology.MAX_PORT);
      item.finish();
      if (prefix != null && port.isPresent()) {
        try {
          routes.add(new Route(IpPrefix.parse(prefix), port.getAsInt()));
        } catch (InvalidValueException e) {
          item.invalid("prefix", e);
        }
      }
    }
    return routes;
  }

  private static List<Trunk> trunks(ObjectReader body) {
    List<Trunk> trunks = new ArrayList<>();
    List<JsonValue> items = body.optionalArray("trunks", "an array of trunks");
    for (int i = 0; i < items.size(); i++) {
      ObjectReader item = body.item("trunks", i, items.get(i));
      OptionalInt port = item.integer("port", 0, Topology.MAX_PORT);
      String toSwitch = item.string("toSwitch", "the id of another switch");
      OptionalInt toPort = item.integer("toPort", 0, Topology.MAX_PORT);
      item.finish();
      if (toSwitch != null && !Ids.isValid(toSwitch)) {
        item.problem(Code.INVALID, "toSwitch", JsonText.quoted(toSwitch), Ids.ALLOWED);
      }
      if (item.sound()) {
        trunks.add(new Trunk(port.getAsInt(), toSwitch, toPort.getAsInt()));
      }
    }
    return trunks;
  }

  /** The sidecar of a direction; the topology itself refuses a second one. */
  private static OptionalInt sidecar(List<SwitchPort> ports, Direction direction) {
    List<SwitchPort> sidecars =
        ports.stream()
            .filter(port -> port.role() == PortRole.SIDECAR && port.direction() == direction)
            .toList();
    if (sidecars.size() > 1) {
      throw new InvalidValueException(
          "ports",
          sidecars.size() + " sidecars of direction " + direction.text(),
          "one for each direction");
    }
    return sidecars.isEmpty() ? OptionalInt.empty() : OptionalInt.of(sidecars.get(0).number());
  }

  /** Writes all that is read, defaults included, as an object. */
  public static void write(JsonGenerator json, Topology topology) throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("ports");
    for (SwitchPort port : topology.ports()) {
      write(json, port, topology.isInWire(port.number()));
    }
    json.writeEndArray();
    json.writeObjectFieldStart("bngPorts");
    for (Map.Entry<Integer, Integer> each : new TreeMap<>(topology.bngPorts()).entrySet()) {
      json.writeNumberField(each.getKey().toString(), each.getValue());
    }
    json.writeEndObject();
    json.writeArrayFieldStart("routes");
    for (Route route : topology.routes()) {
      json.writeStartObject();
      json.writeStringField("prefix", route.prefix().toString());
      json.writeNumberField("port", route.port());
      json.writeEndObject();
    }
    json.writeEndArray();
    if (topology.mirrorPort().isPresent()) {
      json.writeNumberField("mirrorPort", topology.mirrorPort().getAsInt());
    }
    json.writeArrayFieldStart("loopPorts");
    for (int port : topology.loopPorts()) {
      json.writeNumber(port);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("trunks");
    for (Trunk trunk : topology.trunks()) {
      json.writeStartObject();
      json.writeNumberField("port", trunk.port());
      json.writeStringField("toSwitch", trunk.toSwitch());
      json.writeNumberField("toPort", trunk.toPort());
      json.writeEndObject();
    }
    json.writeEndArray();
    WireForm.write(json, topology.wires());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, SwitchPort port, boolean isEnd) throws IOException {
    json.writeStartObject();
    json.writeNumberField("number", port.number());
    json.writeStringField("role", text(port.role()));
    json.writeStringField("direction", text(port.direction()));
    json.writeNumberField("rateBps", port.rateBps());
    if (!isEnd) {
      json.writeStringField("sourceMac", macText(port.sourceMac()));
      if (port.line().nextHop().isEmpty()) {
        json.writeStringField(DESTINATION_MAC, macText(port.destinationMac()));
      }
      LineForm.write(json, port.line());
    }
    json.writeBooleanField("keepPacketValue", port.keepPacketValue());
    json.writeBooleanField("valueDropping", port.valueDropping());
    AqmForm.write(json, port.aqm());
    json.writeNumberField("maxCommittedPercent", port.maxCommittedPercent());
    if (port.role() == PortRole.ACCESS && port.direction() == Direction.UP && !isEnd) {
      json.writeStringField(UNKNOWN, text(port.unknown()));
    }
    if (SwitchPort.canTagPriority(port.role())) {
      json.writeBooleanField(PRIORITY_TAG, port.priorityTag());
    }
    json.writeEndObject();
  }

  private static String macText(long mac) {
    return String.format("%012x", mac).replaceAll("(..)(?!$)", "$1:");
  }
}
