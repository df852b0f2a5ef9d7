package net.sluice.rest.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.sluice.core.declaration.Bodies.GateBody;
import net.sluice.core.declaration.BodyMapping;
import net.sluice.core.declaration.Component;
import net.sluice.core.declaration.Component.Part;
import net.sluice.core.declaration.Shape;
import net.sluice.core.declaration.ValueType;
import net.sluice.intents.field.Field;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.value.Ids;

/** Makes schemas of the published document from the descriptions of fields. */
final class ShapeSchemas {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final List<String> KEYS =
      List.of(
          "$ref",
          "type",
          "format",
          "additionalProperties",
          "default",
          "description",
          "enum",
          "example",
          "items",
          "maxLength",
          "minLength",
          "maxItems",
          "minItems",
          "maxProperties",
          "minProperties",
          "maximum",
          "minimum",
          "oneOf",
          "pattern",
          "uniqueItems");
  private static final String SCHEMAS = "#/components/schemas/";
  private static final String CLOCK = "^([01][0-9]|2[0-3]):[0-5][0-9]$";

  private ShapeSchemas() {}

  /** The schemas of all bodies and of what is in them, by name. */
  static Map<String, JsonNode> all() {
    Map<String, JsonNode> all = new TreeMap<>();
    for (Kind kind : Kind.values()) {
      add(BodyMapping.shape(kind), all);
    }
    add(Shape.of(GateBody.class), all);
    return all;
  }

  /** The reference to the schema of a described record. */
  static String reference(Class<?> type) {
    return SCHEMAS + Shape.of(type).name();
  }

  /** Whether each value is one of some texts: in a list these get a schema with a name. */
  private static boolean isChoice(Part part) {
    return part.scalar() != null && !part.scalar().texts().isEmpty();
  }

  private static String name(Part choice) {
    return choice.scalar().type().getSimpleName();
  }

  private static ObjectNode choice(Part part) {
    ObjectNode schema = MAPPER.createObjectNode().put("type", "string");
    part.scalar().texts().forEach(schema.putArray("enum")::add);
    return schema;
  }

  private static void add(Shape<?> shape, Map<String, JsonNode> all) {
    if (all.containsKey(shape.name())) {
      return;
    }
    ObjectNode schema = MAPPER.createObjectNode();
    all.put(shape.name(), schema);
    schema.put("type", "object");
    schema.put("additionalProperties", false);
    schema.put("description", shape.form().says());
    if (shape.form().maxFields() < Integer.MAX_VALUE) {
      schema.put("maxProperties", shape.form().maxFields());
    }
    if (shape.form().minFields() > 0) {
      schema.put("minProperties", shape.form().minFields());
    }
    ObjectNode properties = schema.putObject("properties");
    List<String> required = new ArrayList<>();
    for (Component component : shape.components()) {
      properties.set(component.name(), ordered(property(component)));
      if (!component.mayBeAbsent()) {
        required.add(component.name());
      }
      parts(component.part(), all);
    }
    if (!required.isEmpty()) {
      ArrayNode names = schema.putArray("required");
      required.stream().sorted().forEach(names::add);
    }
  }

  private static void parts(Part part, Map<String, JsonNode> all) {
    if (part.shape() != null) {
      add(part.shape(), all);
    } else if (part.item() != null && isChoice(part.item())) {
      all.put(name(part.item()), choice(part.item()));
    } else if (part.item() != null) {
      parts(part.item(), all);
    }
  }

  private static ObjectNode property(Component component) {
    Field field = component.field();
    Part part = component.part();
    ObjectNode schema = MAPPER.createObjectNode();
    switch (part.type()) {
      case LIST -> {
        schema.put("type", "array").put("description", field.says());
        if (isChoice(part.item())) {
          schema.putObject("items").put("$ref", SCHEMAS + name(part.item()));
        } else {
          schema.set("items", ordered(value(part.item(), field)));
        }
        bounds(schema, field, "minItems", "maxItems");
        if (field.unique()) {
          schema.put("uniqueItems", true);
        }
      }
      case MAP -> {
        schema.put("type", "object").put("description", field.says());
        schema.putObject("additionalProperties").put("type", "string");
        bounds(schema, field, "minProperties", "maxProperties");
      }
      case RECORD_OR_TRUE -> {
        schema.putArray("type").add("boolean").add("object");
        schema.put("description", field.says());
        ArrayNode either = schema.putArray("oneOf");
        either.addObject().put("type", "boolean");
        either.addObject().put("$ref", reference(part.shape().type()));
      }
      default -> schema = value(part, field).put("description", field.says());
    }
    if (!field.byDefault().isEmpty()) {
      schema.set("default", node(part.type(), field.byDefault()));
    }
    if (!field.example().isEmpty()) {
      schema.put("example", field.example());
    }
    return schema;
  }

  /** Keys in the order in which swagger's schemas have them. */
  private static ObjectNode ordered(ObjectNode schema) {
    ObjectNode ordered = MAPPER.createObjectNode();
    KEYS.stream().filter(schema::has).forEach(key -> ordered.set(key, schema.get(key)));
    return ordered;
  }

  private static void bounds(ObjectNode schema, Field field, String least, String most) {
    if (field.minItems() > 0) {
      schema.put(least, field.minItems());
    }
    if (field.maxItems() < Integer.MAX_VALUE) {
      schema.put(most, field.maxItems());
    }
  }

  private static ObjectNode value(Part part, Field field) {
    ObjectNode schema = MAPPER.createObjectNode();
    switch (part.type()) {
      case INT, LONG, DOUBLE -> number(schema, part.type(), field);
      case FLAG -> schema.put("type", "boolean");
      case TEXT -> text(schema.put("type", "string"), field);
      case SCALAR -> schema = isChoice(part) ? choice(part) : scalar(part);
      case RECORD -> schema.put("$ref", reference(part.shape().type()));
      default -> throw new IllegalStateException("an item cannot be " + part.type());
    }
    return schema;
  }

  private static void number(ObjectNode schema, ValueType type, Field field) {
    switch (type) {
      case INT -> schema.put("type", "integer").put("format", "int32");
      case LONG -> schema.put("type", "integer").put("format", "int64");
      default -> schema.put("type", "number").put("format", "double");
    }
    if (!field.max().isEmpty()) {
      schema.set("maximum", node(type, field.max()));
    }
    if (!field.min().isEmpty()) {
      schema.set("minimum", node(type, field.min()));
    }
  }

  private static void text(ObjectNode schema, Field field) {
    if (field.id()) {
      schema.put("pattern", Ids.PATTERN);
    }
    if (field.maxLength() > 0) {
      schema.put("minLength", 1).put("maxLength", field.maxLength());
    }
    if (field.values().length > 0) {
      ArrayNode values = schema.putArray("enum");
      for (String value : field.values()) {
        values.add(value);
      }
    }
  }

  private static ObjectNode scalar(Part part) {
    ObjectNode schema = MAPPER.createObjectNode().put("type", "string");
    if (part.scalar().type() == IpPrefix.class) {
      schema.put("description", "A prefix in CIDR notation, no bit set beyond its length.");
      schema.put("example", "192.0.2.0/24");
    } else if (part.scalar().type() == java.time.Instant.class) {
      schema.put("format", "date-time");
    } else if (part.scalar().type() == java.time.LocalTime.class) {
      schema.put("pattern", CLOCK);
    }
    return schema;
  }

  private static JsonNode node(ValueType type, String text) {
    return switch (type) {
      case INT, LONG -> MAPPER.getNodeFactory().numberNode(Long.parseLong(text));
      case DOUBLE -> MAPPER.getNodeFactory().numberNode(Double.parseDouble(text));
      case FLAG -> MAPPER.getNodeFactory().booleanNode(Boolean.parseBoolean(text));
      default -> MAPPER.getNodeFactory().textNode(text);
    };
  }
}
