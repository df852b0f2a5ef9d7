package net.sluice.rest.switches;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.profile.LineAddresses;
import net.sluice.intents.profile.LineAddresses.Own;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.northbound.json.JsonText;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.json.ObjectReader;

/** The IP addresses on the line of a port, as fields of the port. */
final class LineForm {
  static final String ADDRESSES = "addresses";
  static final String NEXT_HOP = "nextHop";
  static final String NOT_BESIDE_NEXT_HOP =
      "absent: the next hop is given by its IP address, and is asked for its own";

  private static final String NOT_OF_A_SIDECAR = "absent: an FPGA asks for no addresses";

  private LineForm() {}

  /** Reads them; the port's reader is told what is wrong. */
  static LineAddresses read(ObjectReader port, boolean sidecar) {
    if (sidecar) {
      for (String name : List.of(ADDRESSES, NEXT_HOP)) {
        port.know(name);
        if (port.has(name)) {
          String shown = port.any(name, NOT_OF_A_SIDECAR).shown();
          port.problem(Code.INVALID, name, shown, NOT_OF_A_SIDECAR);
        }
      }
      return LineAddresses.NONE;
    }
    List<Own> own = new ArrayList<>();
    boolean sound = true;
    List<JsonValue> items = port.optionalArray(ADDRESSES, "an array of addresses");
    for (int i = 0; i < items.size(); i++) {
      try {
        own.add(Own.parse(items.get(i) instanceof JsonValue.Str text ? text.text() : ""));
      } catch (InvalidValueException e) {
        String field = ADDRESSES + "[" + i + "]";
        port.problem(Code.INVALID, field, items.get(i).shown(), e.allowed());
        sound = false;
      }
    }
    Optional<IpPrefix> nextHop = Optional.empty();
    Optional<String> given = port.optionalString(NEXT_HOP, LineAddresses.ADDRESS_FORM);
    if (given.isPresent()) {
      try {
        nextHop =
            Optional.of(LineAddresses.host(NEXT_HOP, given.get(), LineAddresses.ADDRESS_FORM));
      } catch (InvalidValueException e) {
        port.problem(Code.INVALID, NEXT_HOP, JsonText.quoted(given.get()), e.allowed());
        sound = false;
      }
    }
    if (sound) {
      try {
        return new LineAddresses(own, nextHop);
      } catch (InvalidValueException e) {
        String field = e.field().substring(e.field().indexOf('.') + 1);
        port.problem(Code.INVALID, field, JsonText.quoted(e.value()), e.allowed());
      }
    }
    return LineAddresses.NONE;
  }

  /** Writes them as fields of the port. */
  static void write(JsonGenerator json, LineAddresses line) throws IOException {
    if (line.any()) {
      json.writeArrayFieldStart(ADDRESSES);
      for (Own each : line.own()) {
        json.writeString(each.toString());
      }
      json.writeEndArray();
    }
    if (line.nextHop().isPresent()) {
      json.writeStringField(NEXT_HOP, line.nextHop().get().addressText());
    }
  }
}
