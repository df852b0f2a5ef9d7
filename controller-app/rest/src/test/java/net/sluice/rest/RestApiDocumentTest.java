package net.sluice.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import net.sluice.core.Controller;
import net.sluice.core.Page;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.policy.PointsFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.value.Ids;
import net.sluice.rest.bulk.SetExchange;
import net.sluice.rest.json.JsonTree;
import net.sluice.rest.problem.ProblemType;
import net.sluice.rest.request.Query;
import net.sluice.rest.request.RequestBody;
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
        .contains("0 to " + Query.MAX_WAIT_MILLIS + " | " + Query.DEFAULT_WAIT_MILLIS)
        .contains("1 to " + Page.MAX_LIMIT + " | " + Query.DEFAULT_LIMIT)
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
      // The page begins with subscribers, which need the policy of a later example.
      examples =
          examples.stream()
              .sorted(Comparator.comparing(each -> !each.group(2).startsWith("/policies")))
              .toList();
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
  void theExampleOfASetIsMadeAndItsProblemIsTheOneAnswered() throws Exception {
    String set = matches("^```ndjson\\n(.*?)^```").get(1).group(1);
    JsonNode problem = MAPPER.readTree(matches("^```json\\n(\\{\"type\".*?)^```").get(0).group(1));
    try (ControllerRig rig = ControllerRig.settled();
        TestServer server = new TestServer(rig.controller)) {
      rig.accept(TestNetwork.policy("gold", BuiltInFunction.GOLD));
      for (String[] each : new String[][] {{"alice", "1", "3"}, {"bob", "2", "4"}}) {
        rig.accept(
            new Change.Put(
                new Subscriber(
                    each[0],
                    "gold",
                    List.of(IpPrefix.parse("10.0.0." + each[1] + "/32")),
                    Optional.empty(),
                    new Attachment(0, Integer.parseInt(each[2])))));
      }
      String wrong = set.lines().findFirst().orElseThrow().replace("10.0.0.2", "10.0.0.1");
      String path = "/bulk?atomic=true";
      HttpResponse<String> refused =
          server.send(
              "POST", path, "application/x-ndjson", wrong + "\n" + set.lines().toList().get(1));
      assertThat(MAPPER.readTree(refused.body())).isEqualTo(problem);
      HttpResponse<String> made = server.send("POST", path, "application/x-ndjson", set);
      assertThat(made.body())
          .isEqualTo(
              "{\"line\":1,\"id\":\"alice\",\"status\":200}\n"
                  + "{\"line\":2,\"id\":\"bob\",\"status\":200}\n");
      assertThat(text)
          .contains("At most " + Controller.MOST_TOGETHER + " lines and " + SetExchange.MAX_BYTES);
    }
  }

  @Test
  void everyShapeIsTheOneAnswered() throws Exception {
    try (TestServer server = new TestServer(new MemoryController(100))) {
      server.send("PUT", "/policies/gold", example("/policies/gold"));
      server.send("PUT", "/subscribers/alice", example("/subscribers/alice"));
      server.send("PUT", "/rate-limits/alice-50", example("/rate-limits/alice-50"));
      List<JsonNode> shapes = new ArrayList<>();
      for (MatchResult block : matches("^```json\\n(?!\\{\"type\")(.*?)^```")) {
        shapes.add(MAPPER.readTree(block.group(1)));
      }
      assertThat(shapes).hasSize(4);
      JsonNode limit = get(server, "/rate-limits/alice-50");
      assertThat(names(shapes.get(0))).isEqualTo(names(limit));
      for (String field : List.of("declared", "requested", "granted", "notes")) {
        assertThat(shapes.get(0).get(field)).as(field).isEqualTo(limit.get(field));
      }
      JsonNode counters = get(server, "/subscribers/alice/counters");
      assertThat(names(shapes.get(1))).isEqualTo(names(counters));
      assertThat(names(shapes.get(1).get("down"))).isEqualTo(names(counters.get("down")));
      JsonNode drops = get(server, "/drops");
      assertThat(names(shapes.get(2))).isEqualTo(names(drops));
      assertThat(names(shapes.get(2).at("/drops/0"))).containsAll(names(drops.at("/drops/0")));
      assertThat(names(shapes.get(3))).isEqualTo(names(get(server, "/policies/none")));
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
