package net.sluice.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import net.sluice.core.Page;
import net.sluice.intents.model.Ids;
import net.sluice.intents.model.PointsFunction;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.rest.json.JsonTree;
import net.sluice.rest.problem.ProblemType;
import net.sluice.rest.testing.MemoryController;
import net.sluice.rest.testing.TestServer;
import org.junit.jupiter.api.Test;

/** What docs/rest-api.md says is what the API does, as far as a machine can tell. */
final class RestApiDocumentTest {
  private static final Path DOCUMENT = Path.of("..", "..", "docs", "rest-api.md");
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final String text;

  RestApiDocumentTest() throws IOException {
    text = Files.readString(DOCUMENT);
  }

  private List<MatchResult> matches(String pattern) {
    return Pattern.compile(pattern, Pattern.MULTILINE | Pattern.DOTALL)
        .matcher(text)
        .results()
        .toList();
  }

  @Test
  void everyProblemTypeIsListed() {
    for (ProblemType type : ProblemType.values()) {
      String status = type == ProblemType.HTTP ? "4xx" : Integer.toString(type.status());
      assertThat(text).contains("| " + status + " | `" + type.uri() + "` | " + type.title() + " |");
    }
    assertThat(matches("^\\| \\w+ \\| `urn:")).hasSameSizeAs(ProblemType.values());
  }

  @Test
  void everyBoundIsNamed() {
    FpgaProfile fpga = FpgaProfile.withClock(156.25e6);
    assertThat(text)
        .contains(
            "0 to "
                + DeclarationResource.MAX_WAIT_MILLIS
                + " | "
                + DeclarationResource.DEFAULT_WAIT_MILLIS)
        .contains("1 to " + Page.MAX_LIMIT + " | " + ListQuery.DEFAULT_LIMIT)
        .contains("more than " + RequestBody.MAX_BYTES + " bytes")
        .contains(JsonTree.MAX_DEPTH + " levels of nesting")
        .contains(PointsFunction.MIN_POINTS + " to " + PointsFunction.MAX_POINTS + " points")
        .contains("1 to " + PointsFunction.Point.MAX_RATE_BPS)
        .contains("at most " + Subscriber.MAX_PREFIXES + " IPv4 or IPv6 prefixes")
        .contains(VlanTags.MIN + " to " + VlanTags.MAX)
        .contains("1 to " + Ids.MAX_LENGTH + " characters")
        .contains(fpga.minBurstBytes() + " to " + fpga.maxBurstBytes())
        .contains("(" + fpga.maxRateBps() + ")")
        .contains(Math.round(fpga.rateStepBps()) + " bit/s at 156.25 MHz")
        .contains("word " + fpga.maxRateWord() + " is \"not limited\"")
        .contains("queues for " + fpga.customersPerTree() + " limited");
  }

  @Test
  void everyExampleIsAccepted() throws Exception {
    try (TestServer server = new TestServer(new MemoryController(100))) {
      List<MatchResult> examples = matches("^```json (PUT) (\\S+)\\n(.*?)^```");
      assertThat(examples).hasSizeGreaterThanOrEqualTo(6);
      for (MatchResult example : examples) {
        HttpResponse<String> response =
            server.send(example.group(1), example.group(2), example.group(3));
        assertThat(response.statusCode()).as(example.group() + response.body()).isEqualTo(201);
      }
      String lines = matches("^```ndjson\\n(.*?)^```").get(0).group(1);
      HttpResponse<String> bulk = server.send("POST", "/bulk", "application/x-ndjson", lines);
      assertThat(bulk.body().lines()).hasSize((int) lines.lines().count());
      assertThat(bulk.body().lines()).allMatch(line -> line.contains("\"status\":200"));
    }
  }

  @Test
  void everyShapeIsTheOneAnswered() throws Exception {
    try (TestServer server = new TestServer(new MemoryController(100))) {
      server.send("PUT", "/policies/gold", example("/policies/gold"));
      server.send("PUT", "/subscribers/alice", example("/subscribers/alice"));
      server.send("PUT", "/rate-limits/alice-50", example("/rate-limits/alice-50"));
      List<JsonNode> shapes = new ArrayList<>();
      for (MatchResult block : matches("^```json\\n(.*?)^```")) {
        shapes.add(MAPPER.readTree(block.group(1)));
      }
      assertThat(shapes).hasSize(3);
      JsonNode limit = get(server, "/rate-limits/alice-50");
      assertThat(names(shapes.get(0))).isEqualTo(names(limit));
      for (String field : List.of("declared", "requested", "granted", "notes")) {
        assertThat(shapes.get(0).get(field)).as(field).isEqualTo(limit.get(field));
      }
      JsonNode counters = get(server, "/subscribers/alice/counters");
      assertThat(names(shapes.get(1))).isEqualTo(names(counters));
      assertThat(names(shapes.get(1).get("down"))).isEqualTo(names(counters.get("down")));
      assertThat(names(shapes.get(2))).isEqualTo(names(get(server, "/policies/none")));
      JsonNode status = get(server, "/status");
      for (String field : names(status.get("targets").get(1))) {
        assertThat(text).contains(field + "`");
      }
    }
  }

  private String example(String path) {
    return matches("^```json PUT " + path + "\\n(.*?)^```").get(0).group(1);
  }

  private static JsonNode get(TestServer server, String path)
      throws IOException, InterruptedException {
    return MAPPER.readTree(server.send("GET", path, null).body());
  }

  private static TreeSet<String> names(JsonNode object) {
    TreeSet<String> names = new TreeSet<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
