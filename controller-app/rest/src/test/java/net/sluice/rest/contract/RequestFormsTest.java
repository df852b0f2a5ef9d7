package net.sluice.rest.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import net.sluice.rest.testing.Contract;
import net.sluice.rest.testing.MemoryController;
import net.sluice.rest.testing.TestServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The readers of requests take the fields, numbers and query parameters that the document has, and
 * no others.
 */
class RequestFormsTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Bodies that together have each field of a request. */
  private static final Map<String, List<String>> BODIES =
      Map.of(
          "/policies/p",
          List.of(
              "{\"throughputValue\":{\"builtIn\":\"gold\"},\"aqm\":{\"kind\":\"codel-act\","
                  + "\"targetMicros\":5000,\"intervalMicros\":100000,\"ecn\":true}}",
              "{\"throughputValue\":{\"builtIn\":\"gold\"},\"rio\":{\"inDscp\":10,"
                  + "\"limitPackets\":50,\"weightShift\":9,\"in\":{\"minPackets\":15,"
                  + "\"maxPackets\":30,\"maxProbability\":0.02},\"out\":{\"minPackets\":5,"
                  + "\"maxPackets\":15,\"maxProbability\":0.2}}}",
              "{\"throughputValue\":{\"builtIn\":\"gold\"},\"classes\":[{\"name\":\"voice\","
                  + "\"dscp\":[46],\"priority\":1},{\"name\":\"rest\",\"share\":1}]}",
              "{\"throughputValue\":{\"points\":[{\"rateBps\":1000,\"value\":9.0},"
                  + "{\"rateBps\":2000,\"value\":8.0}]}}",
              "{\"throughputValue\":{\"guaranteedBps\":5000000,\"weight\":2}}"),
          "/subscribers/s",
          List.of(
              "{\"policy\":\"gold\",\"prefixes\":[\"10.0.0.1/32\"],\"sVlan\":9,\"cVlan\":9,"
                  + "\"attachment\":{\"port\":0,\"tree\":3,\"switch\":\"bng\"},\"labels\":{},"
                  + "\"suspended\":{\"policy\":\"gold\"},\"schedule\":[{\"from\":\"22:00\","
                  + "\"to\":\"06:00\",\"zone\":\"UTC\",\"days\":[\"mon\"],\"policy\":\"gold\"}]}"),
          "/rate-limits/r",
          List.of(
              "{\"scope\":{\"port\":0,\"tree\":3,\"switch\":\"bng\"},\"downBps\":50000000,"
                  + "\"upBps\":50000000,\"burstBytes\":3000,\"enforcement\":\"fpga\",\"gate\":\"open\","
                  + "\"maxCommittedPercent\":50,\"suspended\":true,\"schedule\":["
                  + "{\"until\":\"2026-12-01T20:00:00Z\",\"downBps\":1000000,\"upBps\":2000000,"
                  + "\"burstBytes\":2000}]}",
              "{\"scope\":{\"subscriber\":\"alice\"},\"downBps\":50000000}"));

  private final TestServer server = new TestServer(new MemoryController(9));

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  /** An object of a body, its schema, and where it is. */
  private record Part(ObjectNode object, JsonNode schema, String at) {}

  private static List<Part> parts(JsonNode value, JsonNode schema, String at) {
    JsonNode resolved = Contract.resolved(schema);
    List<Part> parts = new ArrayList<>();
    if (value instanceof ObjectNode object && resolved.has("properties")) {
      parts.add(new Part(object, resolved, at));
      for (Iterator<Map.Entry<String, JsonNode>> each = object.fields(); each.hasNext(); ) {
        Map.Entry<String, JsonNode> field = each.next();
        JsonNode of = resolved.path("properties").get(field.getKey());
        assertThat(of).as("%s is not in the document", at + field.getKey()).isNotNull();
        parts.addAll(parts(field.getValue(), of, at + field.getKey() + "."));
      }
    } else if (value instanceof ArrayNode array && !array.isEmpty()) {
      String item = at.replaceFirst("\\.$", "[0].");
      parts.addAll(parts(array.get(0), resolved.get("items"), item));
    }
    return parts;
  }

  private JsonNode problem(String path, JsonNode body) throws IOException, InterruptedException {
    return MAPPER.readTree(server.send("PUT", path + "?dryRun=true", body.toString()).body());
  }

  private static JsonNode schema(String path) {
    JsonNode body = Contract.operation("PUT", path).orElseThrow().get("requestBody");
    return body.at("/content/application~1json/schema");
  }

  private static JsonNode parsed(String json) throws JsonProcessingException {
    return MAPPER.readTree(json);
  }

  private static TreeSet<String> names(JsonNode object) {
    TreeSet<String> names = new TreeSet<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  @Test
  void readersKnowTheFieldsOfTheDocument() throws Exception {
    for (Map.Entry<String, List<String>> each : BODIES.entrySet()) {
      TreeSet<String> covered = new TreeSet<>();
      for (String text : each.getValue()) {
        JsonNode body = parsed(text);
        for (Part part : parts(body, schema(each.getKey()), "")) {
          part.object().put("zz", 1);
          String field = part.at() + "zz";
          for (JsonNode error : problem(each.getKey(), body).get("errors")) {
            if (error.get("field").asText().equals(field)) {
              String[] allowed =
                  error.get("allowed").asText().replace("only the fields ", "").split(", ");
              assertThat(new TreeSet<>(Arrays.asList(allowed)))
                  .as("%s %s", each.getKey(), part.at())
                  .isEqualTo(names(part.schema().get("properties")));
              covered.add(field);
            }
          }
          assertThat(covered).contains(field);
          part.object().remove("zz");
        }
      }
    }
  }

  @Test
  void readersHoldTheBoundsOfTheDocument() throws Exception {
    int tried = 0;
    for (Map.Entry<String, List<String>> each : BODIES.entrySet()) {
      for (String text : each.getValue()) {
        JsonNode body = parsed(text);
        for (Part part : parts(body, schema(each.getKey()), "")) {
          for (String name : names(part.object())) {
            JsonNode property = part.schema().at("/properties/" + name);
            JsonNode before = part.object().get(name);
            for (String bound : List.of("minimum", "maximum")) {
              if (property.has(bound)) {
                long limit = property.get(bound).asLong();
                part.object().put(name, bound.equals("minimum") ? limit - 1 : limit + 1);
                assertThat(named(each.getKey(), body, part.at() + name))
                    .as("%s %s beyond its %s", each.getKey(), part.at() + name, bound)
                    .isTrue();
                tried++;
              }
            }
            part.object().set(name, before);
          }
        }
      }
    }
    assertThat(tried).isGreaterThan(20);
  }

  /** True if the body is refused for that field, or for the object that has it. */
  private boolean named(String path, JsonNode body, String field)
      throws IOException, InterruptedException {
    for (JsonNode error : problem(path, body).path("errors")) {
      if (error.get("field").asText().equals(field)) {
        return true;
      }
    }
    return false;
  }

  @Test
  void resourcesTakeTheQueryParametersOfTheDocument() throws Exception {
    for (String template : names(Contract.DOCUMENT.get("paths"))) {
      for (String method : names(Contract.DOCUMENT.get("paths").get(template))) {
        JsonNode operation = Contract.DOCUMENT.get("paths").get(template).get(method);
        if (template.equals("/audit")
            || template.equals("/events")
            || template.startsWith("/webhooks")
            || template.startsWith("/log-levels")
            || template.startsWith("/switches/") && !method.equals("get")) {
          continue;
        }
        TreeSet<String> expected = new TreeSet<>();
        for (JsonNode parameter : operation.path("parameters")) {
          if (parameter.get("in").asText().equals("query")) {
            expected.add(parameter.get("name").asText());
          }
        }
        String type = names(operation.at("/requestBody/content")).stream().findFirst().orElse(null);
        JsonNode problem =
            parsed(
                server
                    .send(
                        method.toUpperCase(java.util.Locale.ROOT),
                        template.replaceAll("\\{[a-z]+}", "x") + "?zz=1",
                        type == null ? "text/plain" : type,
                        type == null ? null : "{}")
                    .body());
        String allowed = problem.at("/errors/0/allowed").asText();
        assertThat(allowed)
            .as("%s %s: %s", method, template, problem)
            .endsWith(expected.isEmpty() ? "no query parameters" : "");
        if (!expected.isEmpty()) {
          assertThat(
                  new TreeSet<>(
                      List.of(allowed.replace("only the query parameters ", "").split(", "))))
              .as("%s %s", method, template)
              .isEqualTo(expected);
        }
      }
    }
  }
}
