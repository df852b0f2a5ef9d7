package net.sluice.rest.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import net.sluice.rest.SluiceApplication;

/** The published document of the API, for tests. */
public final class Contract {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** As it is published. */
  public static final JsonNode DOCUMENT = read();

  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
  private static final JsonNode COMPONENTS = strict();
  private static final Map<JsonNode, Schema> SCHEMAS = new ConcurrentHashMap<>();

  private Contract() {}

  private static JsonNode read() {
    try (InputStream document = SluiceApplication.class.getResourceAsStream("openapi.json")) {
      return MAPPER.readTree(document);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The components, of whose objects no field may be unknown: clients may get more, tests not. */
  private static JsonNode strict() {
    JsonNode components = DOCUMENT.get("components").deepCopy();
    for (JsonNode schema : components.get("schemas")) {
      if (schema.has("properties")) {
        ((ObjectNode) schema).put("additionalProperties", false);
      }
    }
    return components;
  }

  /** The operation of a method at a path below the API's; empty if there is none. */
  public static Optional<JsonNode> operation(String method, String path) {
    return template(path)
        .map(template -> DOCUMENT.get("paths").get(template).get(method.toLowerCase(Locale.ROOT)));
  }

  /** The template that a path fits, the most literal one. */
  private static Optional<String> template(String path) {
    List<String> fitting = new ArrayList<>();
    DOCUMENT
        .get("paths")
        .fieldNames()
        .forEachRemaining(
            template -> {
              if (path.matches(template.replaceAll("\\{[a-z]+}", "[^/]+"))) {
                fitting.add(template);
              }
            });
    return fitting.stream()
        .min((one, other) -> other.split("\\{").length - one.split("\\{").length)
        .or(() -> fitting.stream().findFirst());
  }

  /** What {@code node} says or refers to. */
  public static JsonNode resolved(JsonNode node) {
    return node.has("$ref") ? DOCUMENT.at(node.get("$ref").asText().substring(1)) : node;
  }

  /** The errors of a JSON value by a schema of the document. */
  public static List<String> errors(JsonNode schema, String json) {
    Schema compiled =
        SCHEMAS.computeIfAbsent(
            schema,
            each -> {
              ObjectNode whole = each.deepCopy();
              whole.set("components", COMPONENTS);
              return REGISTRY.getSchema(whole);
            });
    try {
      return compiled.validate(MAPPER.readTree(json)).stream().map(Error::toString).toList();
    } catch (IOException e) {
      return List.of("no JSON: " + e.getMessage());
    }
  }
}
