package net.sluice.rest.switches;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Wire;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.Ids;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.json.ObjectReader;

/** The wires of a topology, as JSON. */
final class WireForm {
  private static final String WIRES = "wires";
  private static final String UNKNOWN = "unknown";
  private static final String POLICY = "policy";

  private WireForm() {}

  /**
   * The wires of a topology, whose reader is told what is wrong with them.
   *
   * @param ends gets their ports, also those of wires that are wrong otherwise
   */
  static List<Wire> read(ObjectReader topology, Set<Integer> ends) {
    List<Wire> wires = new ArrayList<>();
    List<JsonValue> items = topology.optionalArray(WIRES, "an array of wires");
    for (int i = 0; i < items.size(); i++) {
      ObjectReader item = topology.item(WIRES, i, items.get(i));
      OptionalInt access = item.integer("access", 0, Topology.MAX_PORT);
      OptionalInt core = item.integer("core", 0, Topology.MAX_PORT);
      access.ifPresent(ends::add);
      core.ifPresent(ends::add);
      Optional<ObjectReader> unknown = item.optionalObject(UNKNOWN);
      Optional<String> policy = unknown.flatMap(WireForm::policy);
      OptionalLong downBps = rate(unknown, Direction.DOWN);
      OptionalLong upBps = rate(unknown, Direction.UP);
      unknown.filter(ObjectReader::isObject).ifPresent(ObjectReader::finish);
      item.finish();
      if (item.sound()) {
        wires.add(new Wire(access.getAsInt(), core.getAsInt(), policy, downBps, upBps));
      }
    }
    return wires;
  }

  private static Optional<String> policy(ObjectReader unknown) {
    Optional<String> id = unknown.optionalString(POLICY, "the id of a policy");
    if (id.isPresent() && !Ids.isValid(id.get())) {
      unknown.problem(Code.INVALID, POLICY, id.get(), Ids.ALLOWED);
    }
    return id;
  }

  private static OptionalLong rate(Optional<ObjectReader> unknown, Direction direction) {
    if (unknown.isEmpty()) {
      return OptionalLong.empty();
    }
    String field = field(direction);
    OptionalLong rateBps = unknown.get().optionalWhole(field);
    if (rateBps.isPresent() && !MeterProfile.canRepresent(rateBps.getAsLong())) {
      unknown.get().problem(Code.INVALID, field, rateBps.getAsLong(), MeterProfile.RATE_FORM);
    }
    return rateBps;
  }

  private static String field(Direction direction) {
    return direction.text() + "Bps";
  }

  /** Writes them as a field of the topology. */
  static void write(JsonGenerator json, List<Wire> wires) throws IOException {
    json.writeArrayFieldStart(WIRES);
    for (Wire wire : wires) {
      json.writeStartObject();
      json.writeNumberField("access", wire.access());
      json.writeNumberField("core", wire.core());
      json.writeObjectFieldStart(UNKNOWN);
      if (wire.unknownPolicy().isPresent()) {
        json.writeStringField(POLICY, wire.unknownPolicy().get());
      }
      for (Direction direction : Direction.values()) {
        if (wire.unknownBps(direction).isPresent()) {
          json.writeNumberField(field(direction), wire.unknownBps(direction).getAsLong());
        }
      }
      json.writeEndObject();
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
