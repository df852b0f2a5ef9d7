package net.sluice.emulator.v1model.load;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import net.sluice.emulator.v1model.program.InvalidProgramException;
import net.sluice.emulator.v1model.program.UnsupportedProgramException;

/** A JSON value with its position in the program, for error messages. */
record LocatedJson(JsonNode json, String place) {

  boolean has(String member) {
    return json.hasNonNull(member);
  }

  /** Whether the member is present, possibly null. */
  boolean declares(String member) {
    return json.has(member);
  }

  boolean isNull() {
    return json.isNull() || json.isMissingNode();
  }

  boolean isObject() {
    return json.isObject();
  }

  boolean isText() {
    return json.isTextual();
  }

  /** The member, which must be present; it may be null. */
  LocatedJson get(String member) {
    JsonNode child = json.get(member);
    if (child == null) {
      throw invalid("'" + member + "' is missing");
    }
    return new LocatedJson(child, place.isEmpty() ? member : place + "." + member);
  }

  /** The same value with a more readable position. */
  LocatedJson named(String betterPlace) {
    return new LocatedJson(json, betterPlace);
  }

  List<LocatedJson> list(String member) {
    return get(member).list();
  }

  /** The elements of an optional member. */
  List<LocatedJson> optionalList(String member) {
    return json.has(member) ? list(member) : List.of();
  }

  List<LocatedJson> list() {
    if (!json.isArray()) {
      throw invalid("expected an array");
    }
    List<LocatedJson> nodes = new ArrayList<>(json.size());
    for (int i = 0; i < json.size(); i++) {
      JsonNode element = json.get(i);
      String name =
          element.isObject() && element.path("name").isTextual()
              ? " '" + element.path("name").asText() + "'"
              : "";
      nodes.add(new LocatedJson(element, place + "[" + i + "]" + name));
    }
    return nodes;
  }

  String text(String member) {
    return get(member).text();
  }

  String text() {
    if (!json.isTextual()) {
      throw invalid("expected a string but found " + json);
    }
    return json.asText();
  }

  int integer(String member) {
    return get(member).integer();
  }

  int integer() {
    if (!json.isInt()) {
      throw invalid("expected a 32-bit integer but found " + json);
    }
    return json.intValue();
  }

  boolean flag(String member) {
    LocatedJson node = get(member);
    if (!node.json.isBoolean()) {
      throw node.invalid("expected true or false but found " + node.json);
    }
    return node.json.booleanValue();
  }

  boolean flagOr(String member, boolean otherwise) {
    return has(member) ? flag(member) : otherwise;
  }

  /** True or false, or 1 or 0. */
  boolean flag() {
    return json.isInt() && (json.asInt() == 0 || json.asInt() == 1) ? json.asInt() == 1 : bool();
  }

  boolean bool() {
    if (!json.isBoolean()) {
      throw invalid("expected true or false but found " + json);
    }
    return json.booleanValue();
  }

  /** A hexadecimal string, with or without {@code 0x}, possibly negative. */
  BigInteger hex() {
    String text = text();
    String digits = text.startsWith("-") ? text.substring(1) : text;
    digits = digits.startsWith("0x") || digits.startsWith("0X") ? digits.substring(2) : digits;
    if (digits.isEmpty() || !digits.chars().allMatch(c -> Character.digit(c, 16) >= 0)) {
      throw invalid("expected a hexadecimal number but found '" + text + "'");
    }
    BigInteger value = new BigInteger(digits, 16);
    return text.startsWith("-") ? value.negate() : value;
  }

  /**
   * Refuses unknown members unless they are empty: a construct added by a later compiler is then
   * not used.
   */
  void onlyMembers(Set<String> known) {
    for (Iterator<String> names = json.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      JsonNode value = json.get(name);
      boolean empty = value.isNull() || value.isContainerNode() && value.isEmpty();
      if (!known.contains(name) && !empty) {
        throw new UnsupportedProgramException(
            "member '" + name + "'", place.isEmpty() ? "the top level" : place);
      }
    }
  }

  InvalidProgramException invalid(String problem) {
    return new InvalidProgramException(place.isEmpty() ? "the top level" : place, problem);
  }

  /** The same, with values in the places of {@code %s}. */
  InvalidProgramException invalid(String format, Object... values) {
    return invalid(format.formatted(values));
  }

  UnsupportedProgramException unsupported(String construct) {
    return new UnsupportedProgramException(construct, place.isEmpty() ? "the top level" : place);
  }
}
