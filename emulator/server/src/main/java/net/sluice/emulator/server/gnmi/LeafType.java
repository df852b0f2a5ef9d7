package net.sluice.emulator.server.gnmi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import net.sluice.gnmi.GnmiValues;
import net.sluice.gnmi.wire.TypedValue;

/**
 * Type of a leaf's value: a String, a Boolean or a Long in Java; scalars and JSON on the wire,
 * 64-bit numbers as strings in JSON by RFC 7951, identities with the name of their module there.
 */
final class LeafType {

  private enum Form {
    TEXT,
    TRUTH,
    NUMBER,
    NAME
  }

  static final LeafType TEXT = new LeafType(Form.TEXT, 0, 0, List.of(), "", "a text");
  static final LeafType TRUTH = new LeafType(Form.TRUTH, 0, 0, List.of(), "", "true or false");

  /** A number of 32 bits. */
  static final LeafType NUMBER = number(0, 0xffff_ffffL);

  /** A number of 64 bits. */
  static final LeafType LONG_NUMBER = longNumber(0, Long.MAX_VALUE);

  private final Form form;
  private final long least;
  private final long most;
  private final List<String> names;
  private final String module;
  private final String allowed;
  private boolean asString;

  private LeafType(
      Form form, long least, long most, List<String> names, String module, String allowed) {
    this.form = form;
    this.least = least;
    this.most = most;
    this.names = names;
    this.module = module;
    this.allowed = allowed;
  }

  /** A number of at most 32 bits within bounds. */
  static LeafType number(long least, long most) {
    return new LeafType(
        Form.NUMBER, least, most, List.of(), "", "a whole number, " + least + " to " + most);
  }

  /** A number of 64 bits within bounds. */
  static LeafType longNumber(long least, long most) {
    LeafType type = number(least, most);
    type.asString = true;
    return type;
  }

  /** One of some names. */
  static LeafType oneOf(List<String> names) {
    return identity("", names);
  }

  /** One of some identities of a module. */
  static LeafType identity(String module, List<String> names) {
    return new LeafType(Form.NAME, 0, 0, names, module, String.join(" or ", names));
  }

  /** The values allowed, for messages. */
  String allowed() {
    return allowed;
  }

  /**
   * The value in Java's terms.
   *
   * @throws IllegalArgumentException if it is not allowed, with what is
   */
  Object decode(TypedValue value) {
    switch (value.getValueCase()) {
      case STRING_VAL:
        return text(value.getStringVal());
      case BOOL_VAL:
        if (form == Form.TRUTH) {
          return value.getBoolVal();
        }
        throw refused(value.getBoolVal());
      case UINT_VAL:
      case INT_VAL:
        Object number = GnmiValues.toJava(value);
        if (form == Form.NUMBER && number instanceof Long) {
          return number((Long) number);
        }
        throw refused(number);
      default:
        throw refused("of type " + value.getValueCase().name().toLowerCase(java.util.Locale.ROOT));
    }
  }

  /** As {@link #decode}, from JSON of either kind. */
  Object decode(JsonNode json) {
    if (json.isTextual()) {
      return form == Form.NUMBER ? numberIn(json.textValue()) : text(json.textValue());
    }
    if (json.isBoolean() && form == Form.TRUTH) {
      return json.booleanValue();
    }
    if (json.isIntegralNumber() && json.canConvertToLong() && form == Form.NUMBER) {
      return number(json.longValue());
    }
    throw refused(json);
  }

  /**
   * The value of a list's key, which is always a text on the wire.
   *
   * @throws IllegalArgumentException if it is not allowed, with what is
   */
  Object decodeKey(String key) {
    return form == Form.NUMBER ? numberIn(key) : text(key);
  }

  TypedValue encode(Object value) {
    return switch (form) {
      case TRUTH -> GnmiValues.of((Boolean) value);
      case NUMBER -> GnmiValues.ofUnsigned((Long) value);
      default -> GnmiValues.of((String) value);
    };
  }

  JsonNode json(Object value, boolean ietf) {
    return switch (form) {
      case TRUTH -> BooleanNode.valueOf((Boolean) value);
      case NUMBER ->
          ietf && asString ? TextNode.valueOf(value.toString()) : LongNode.valueOf((Long) value);
      default ->
          TextNode.valueOf(ietf && !module.isEmpty() ? module + ":" + value : (String) value);
    };
  }

  private Object text(String text) {
    if (form == Form.TEXT) {
      return text;
    }
    if (form == Form.NAME) {
      String name =
          !module.isEmpty() && text.indexOf(':') >= 0
              ? text.substring(text.indexOf(':') + 1)
              : text;
      if (names.contains(name)) {
        return name;
      }
    }
    throw refused("'" + text + "'");
  }

  private Long number(long number) {
    if (number < least || number > most) {
      throw refused(number);
    }
    return number;
  }

  private Long numberIn(String text) {
    if (!text.matches("\\d{1,18}")) {
      throw refused("'" + text + "'");
    }
    return number(Long.parseLong(text));
  }

  private IllegalArgumentException refused(Object value) {
    return new IllegalArgumentException("value " + value + ": must be " + allowed);
  }
}
