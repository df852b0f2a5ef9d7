package net.sluice.rest.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import net.sluice.intents.model.RateLimit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.openapitools.openapidiff.core.OpenApiCompare;
import org.openapitools.openapidiff.core.model.ChangedOpenApi;

/**
 * Clients of the released API go on with this one. {@code openapi-released.json} is the document of
 * the last release, and is replaced by a release only.
 */
class CompatibilityTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Path RELEASED = Path.of("src", "test", "resources", "openapi-released.json");

  private static ChangedOpenApi compared(JsonNode released, JsonNode now) {
    return OpenApiCompare.fromContents(older(released).toString(), older(now).toString());
  }

  /** In the words of OpenAPI 3.0, whose types the comparison knows. */
  private static JsonNode older(JsonNode node) {
    JsonNode copy = node.deepCopy();
    if (copy.has("openapi")) {
      ((ObjectNode) copy).put("openapi", "3.0.3");
    }
    rewrite(copy);
    return copy;
  }

  private static void rewrite(JsonNode node) {
    if (node instanceof ObjectNode object && object.path("type") instanceof ArrayNode types) {
      object.put("type", types.get(0).asText());
      object.put("nullable", true);
      if (!types.get(0).asText().equals("array")) {
        object.remove("items");
      }
    }
    node.forEach(CompatibilityTest::rewrite);
  }

  /** Fields of requests that are not taken any more; the comparison has a server ignore them. */
  private static List<String> lostFields(JsonNode released, JsonNode now) {
    List<String> lost = new ArrayList<>();
    JsonNode schemas = released.at("/components/schemas");
    schemas
        .fieldNames()
        .forEachRemaining(
            name ->
                schemas
                    .get(name)
                    .path("properties")
                    .fieldNames()
                    .forEachRemaining(
                        field -> {
                          JsonNode properties = schema(now, name).path("properties");
                          if (!properties.isMissingNode() && !properties.has(field)) {
                            lost.add(name + "." + field);
                          }
                        }));
    return lost;
  }

  private static JsonNode released() throws IOException {
    JsonNode released = MAPPER.readTree(Files.readString(RELEASED));
    // Smaller ones have always been refused, though the document had 1.
    ((ObjectNode) schema(released, "RateLimit").at("/properties/burstBytes"))
        .put("minimum", RateLimit.MIN_BURST_BYTES);
    // Streams of lines are bytes to makers of clients; on the wire they are what they were.
    for (JsonNode lines : released.findValues("application/x-ndjson")) {
      ((ObjectNode) lines.get("schema")).put("format", "binary");
    }
    // Makers of clients read a value of any type where none is named, not where all are.
    for (String any : List.of("after", "inForce")) {
      ((ObjectNode) schema(released, "AuditLine").at("/properties/" + any)).remove("type");
    }
    // The comparison takes a choice for another type than both types by name.
    ((ObjectNode) schema(released, "PlannedWrite").at("/properties")).remove("queue");
    // An FPGA has settings more; who shows a plan shows them like the others.
    ((ArrayNode) schema(released, "PlannedWrite").at("/properties/setting/enum"))
        .add("codel")
        .add("depth");
    // Only who has tariffs may leave a subscriber's policy to one.
    remove((ArrayNode) schema(released, "Subscriber").get("required"), "policy");
    ((ArrayNode) schema(released, "AuditedChange").at("/properties/kind/enum")).add("tariff");
    ((ArrayNode) schema(released, "Conflict").at("/properties/kind/enum")).add("tariffs");
    return released;
  }

  /** Without the kind that came since, which only its clients meet. */
  private static JsonNode withoutTariffs(JsonNode now) {
    for (JsonNode choices : now.findValues("oneOf")) {
      for (int i = choices.size() - 1; i >= 0; i--) {
        if (choices.get(i).path("$ref").asText().contains("/Tariff")) {
          ((ArrayNode) choices).remove(i);
        }
      }
    }
    return now;
  }

  @Test
  void clientsOfTheReleaseGoOn() throws IOException {
    JsonNode now = withoutTariffs(MAPPER.readTree(OpenApiDocument.text()));
    ChangedOpenApi changed = compared(released(), now);
    assertThat(changed.isCompatible()).as(changed.getChangedElements().toString()).isTrue();
    assertThat(lostFields(released(), MAPPER.readTree(OpenApiDocument.text()))).isEmpty();
  }

  static Stream<Arguments> incompatible() {
    return Stream.of(
        change("a path goes", api -> ((ObjectNode) api.get("paths")).remove("/bulk")),
        change("a method goes", api -> ((ObjectNode) api.at("/paths/~1bulk")).remove("post")),
        change(
            "a field of an answer goes",
            api -> ((ObjectNode) schema(api, "Target").get("properties")).remove("session")),
        change(
            "a field of an answer need not be there any more",
            api -> remove((ArrayNode) schema(api, "Target").get("required"), "session")),
        change(
            "a field of a request is needed",
            api -> ((ArrayNode) schema(api, "Subscriber").get("required")).add("sVlan")),
        change(
            "a field of a request goes",
            api -> ((ObjectNode) schema(api, "Subscriber").get("properties")).remove("sVlan")),
        change(
            "a field is of another type",
            api ->
                ((ObjectNode) schema(api, "Attachment").at("/properties/port"))
                    .put("type", "string")),
        change(
            "a value of a request goes",
            api ->
                remove((ArrayNode) schema(api, "RateLimit").at("/properties/gate/enum"), "closed")),
        change(
            "a query parameter is needed",
            api ->
                ((ObjectNode) api.at("/paths/~1policies/get/parameters/0")).put("required", true)));
  }

  private static Arguments change(String words, Consumer<JsonNode> change) {
    return Arguments.of(words, change);
  }

  private static JsonNode schema(JsonNode api, String name) {
    return api.at("/components/schemas/" + name);
  }

  private static void remove(ArrayNode array, String value) {
    for (int i = array.size() - 1; i >= 0; i--) {
      if (array.get(i).asText().equals(value)) {
        array.remove(i);
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("incompatible")
  void theComparisonSeesThat(String words, Consumer<JsonNode> change) throws IOException {
    JsonNode changed = released();
    change.accept(changed);
    assertThat(changed).isNotEqualTo(released());
    assertThat(
            compared(released(), changed).isCompatible()
                && lostFields(released(), changed).isEmpty())
        .isFalse();
  }
}
