package net.sluice.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import net.sluice.core.Outcome;
import net.sluice.core.store.InMemoryNetworkStore;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.northbound.caller.CallerRoles;
import net.sluice.rest.testing.MemoryController;
import net.sluice.rest.testing.TestServer;
import net.sluice.rest.testing.TestServices;
import net.sluice.testing.Http;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The log of changes, over a real connection and over the death of the process. */
final class AuditContract {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String GOLD = "{\"throughputValue\": {\n\"builtIn\": \"gold\"}}";
  private static final String SILVER = "{\"throughputValue\":{\"builtIn\":\"silver\"}}";

  /** Looks at the files while a change is being made. */
  private static final class Watched extends MemoryController {
    private Runnable before = () -> {};
    private Runnable after = () -> {};

    Watched() {
      super(10);
    }

    @Override
    public Outcome apply(Change change) {
      before.run();
      Outcome outcome = super.apply(change);
      after.run();
      return outcome;
    }
  }

  private final Watched controller = new Watched();
  private TestServer server;
  private InMemoryNetworkStore store = new InMemoryNetworkStore();

  private void start() {
    start(1 << 20);
  }

  private void start(long bytes) {
    server =
        new TestServer(
            new TestServices(
                controller,
                store,
                TestServices.settings(TestServices.anywhere(), CallerRoles.LASTING, bytes)));
  }

  @AfterEach
  void stop() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  private int send(String method, String path, String body) throws Exception {
    return Http.send(method, server.base() + path, body, "X-Request-Id", "ours-1").statusCode();
  }

  private List<JsonNode> items(long since) throws Exception {
    HttpResponse<String> answer =
        Http.send("GET", server.base() + "/audit?limit=1000&since=" + since, null);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    List<JsonNode> items = new ArrayList<>();
    MAPPER.readTree(answer.body()).get("items").forEach(items::add);
    return items;
  }

  private static JsonNode json(String text) throws IOException {
    return MAPPER.readTree(text);
  }

  @Test
  void aChangeHasALineBeforeItIsMadeAndOneWithItsOutcome() throws Exception {
    start();
    assertThat(send("PUT", "/policies/gold", GOLD)).isEqualTo(201);
    assertThat(send("PUT", "/policies/gold", SILVER)).isEqualTo(200);
    assertThat(send("DELETE", "/policies/none", null)).isEqualTo(404);
    assertThat(send("PUT", "/policies/gold?dryRun=true", GOLD)).isEqualTo(200);
    assertThat(send("GET", "/policies/gold", null)).isEqualTo(200);
    assertThat(send("PUT", "/policies/bad", "{]")).isEqualTo(400);
    List<JsonNode> lines = items(0);
    assertThat(lines).hasSize(8);
    JsonNode asked = lines.get(2);
    assertThat(asked.get("seq").asInt()).isEqualTo(3);
    assertThat(asked.get("role").asText()).isEqualTo("admin");
    assertThat(asked.get("from").asText()).isEqualTo("127.0.0.1");
    assertThat(asked.get("request").asText()).isEqualTo("ours-1");
    assertThat(asked.get("method").asText()).isEqualTo("PUT");
    assertThat(asked.get("path").asText()).endsWith("/sluice/v1/policies/gold");
    assertThat(asked.get("before")).isEqualTo(json(GOLD));
    assertThat(asked.get("after")).isEqualTo(json(SILVER));
    assertThat(lines.get(0).get("before").isNull()).isTrue();
    assertThat(lines.get(3).get("of").asInt()).isEqualTo(3);
    assertThat(lines.get(3).get("outcome").asText()).isEqualTo("made");
    assertThat(lines.get(5).get("outcome").asText()).isEqualTo("refused");
    assertThat(lines.get(5).get("status").asInt()).isEqualTo(404);
    assertThat(lines.get(6).get("malformedBytes").asInt()).isEqualTo(2);
    assertThat(items(6)).hasSize(2);
    assertThat(items(8)).isEmpty();
  }

  @Test
  void anOperationHasItsOutcomeInTheLogWhenItEnds() throws Exception {
    start();
    String base = server.base().toString();
    String[] later = {"Prefer", "respond-async", "Content-Type", "application/json"};
    String nobody = "{\"policy\":\"none\",\"sVlan\":7,\"attachment\":{\"port\":0,\"tree\":3}}";
    assertThat(Http.send("PUT", base + "/subscribers/a", nobody, later).statusCode())
        .isEqualTo(202);
    List<JsonNode> lines = lines(2);
    assertThat(lines.get(0).get("after")).isEqualTo(json(nobody));
    assertThat(lines.get(1).get("of").asInt()).isEqualTo(1);
    assertThat(lines.get(1).get("outcome").asText()).isEqualTo("refused");
    assertThat(lines.get(1).get("status").asInt()).isEqualTo(422);
    later[3] = "application/x-ndjson";
    String bulk =
        "{\"op\":\"put\",\"kind\":\"policy\",\"id\":\"gold\",\"value\":%s}\n".formatted(SILVER);
    HttpResponse<String> accepted = Http.send("POST", base + "/bulk", bulk, later);
    assertThat(accepted.statusCode()).isEqualTo(202);
    String id = json(accepted.body()).get("id").asText();
    lines = lines(6);
    // The request is there before any of its changes is.
    assertThat(lines.get(2).get("path").asText()).endsWith("/sluice/v1/bulk");
    assertThat(lines.get(2).get("operation").asText()).isEqualTo(id);
    assertThat(lines.get(3).at("/changes/0/id").asText()).isEqualTo("gold");
    assertThat(lines.get(4).get("outcome").asText()).isEqualTo("ended");
    assertThat(lines.get(5).get("of").asInt()).isEqualTo(3);
    assertThat(lines.get(5).get("outcome").asText()).isEqualTo("made");
    assertThat(lines.get(5).get("operation").asText()).isEqualTo(id);
  }

  @Test
  void aGateHasTheLimitThatItIsOfInTheLog() throws Exception {
    start();
    assertThat(send("PUT", "/policies/gold", GOLD)).isEqualTo(201);
    String alice = "{\"policy\":\"gold\",\"sVlan\":7,\"attachment\":{\"port\":0,\"tree\":3}}";
    String gate = "/subscribers/alice/gate";
    assertThat(send("PUT", "/subscribers/alice", alice)).isEqualTo(201);
    assertThat(send("POST", gate, "{\"gate\":\"closed\"}")).isEqualTo(409);
    assertThat(items(0).get(4).get("before").isNull()).isTrue();
    assertThat(
            send(
                "PUT",
                "/rate-limits/a50",
                "{\"scope\":{\"subscriber\":\"alice\"},\"downBps\":50000000}"))
        .isEqualTo(201);
    assertThat(send("POST", gate, "{\"gate\":\"closed\"}")).isEqualTo(200);
    JsonNode before = items(8).get(0).get("before");
    assertThat(before.get("scope")).isEqualTo(json("{\"subscriber\":\"alice\"}"));
    assertThat(before.get("downBps").asLong()).isEqualTo(50_000_000);
    assertThat(items(8).get(0).get("after")).isEqualTo(json("{\"gate\":\"closed\"}"));
  }

  /** So many lines, when they are there. */
  private List<JsonNode> lines(int count) throws Exception {
    List<JsonNode> lines = items(0);
    while (lines.size() < count) {
      lines = items(0);
    }
    return lines;
  }

  @Test
  void aBulkRequestHasItsChangesInTheLog() throws Exception {
    start();
    String lines =
        "{\"op\":\"put\",\"kind\":\"policy\",\"id\":\"gold\",\"value\":%s}\nnonsense\n"
                .formatted(SILVER)
            + "{\"op\":\"delete\",\"kind\":\"policy\",\"id\":\"none\"}\n";
    HttpResponse<String> answer =
        Http.send("POST", server.base() + "/bulk", lines, "Content-Type", "application/x-ndjson");
    assertThat(answer.body().lines()).hasSize(3);
    List<JsonNode> noted = items(0);
    assertThat(noted).hasSize(2);
    assertThat(noted.get(0).get("changes")).hasSize(2);
    assertThat(noted.get(0).at("/changes/0/after")).isEqualTo(json(SILVER));
    assertThat(noted.get(0).at("/changes/1/op").asText()).isEqualTo("delete");
    assertThat(noted.get(1).get("notMade")).isEqualTo(json("[{\"line\":3,\"status\":404}]"));
  }

  private static String put(String id, String policy) {
    return "{\"op\":\"put\",\"kind\":\"policy\",\"id\":\"%s\",\"value\":%s}\n"
        .formatted(id, policy.replace("\n", ""));
  }

  @Test
  void aSetHasAllItsChangesInOneLineBeforeItIsMade() throws Exception {
    start();
    String base = server.base() + "/bulk?atomic=true";
    String[] type = {"Content-Type", "application/x-ndjson"};
    String set = put("gold", GOLD) + put("silver", SILVER);
    String refused =
        put("gold", SILVER) + "{\"op\":\"delete\",\"kind\":\"policy\",\"id\":\"none\"}\n";
    assertThat(Http.send("POST", base + "&dryRun=true", set, type).statusCode()).isEqualTo(200);
    assertThat(Http.send("POST", base, set, type).statusCode()).isEqualTo(200);
    assertThat(Http.send("POST", base, refused, type).statusCode()).isEqualTo(404);
    List<JsonNode> noted = items(0);
    assertThat(noted).hasSize(4);
    for (int line : new int[] {0, 2}) {
      assertThat(noted.get(line).get("atomic").asBoolean()).isTrue();
      assertThat(noted.get(line).get("changes")).hasSize(2);
      assertThat(noted.get(line).get("role").asText()).isEqualTo("admin");
      assertThat(noted.get(line + 1).get("of").asInt()).isEqualTo(line + 1);
    }
    assertThat(noted.get(0).at("/changes/0/after")).isEqualTo(json(GOLD));
    assertThat(noted.get(0).at("/changes/0/before").isNull()).isTrue();
    assertThat(noted.get(1).get("outcome").asText()).isEqualTo("made");
    assertThat(noted.get(2).at("/changes/0/before")).isEqualTo(json(GOLD));
    assertThat(noted.get(2).at("/changes/1/op").asText()).isEqualTo("delete");
    assertThat(noted.get(3).get("outcome").asText()).isEqualTo("refused");
    assertThat(noted.get(3).get("status").asInt()).isEqualTo(404);
  }

  @Test
  void aSetThatIsMadeLaterIsInTheLogBeforeItIsAnswered() throws Exception {
    start();
    String base = server.base() + "/bulk?atomic=true";
    String[] later = {"Prefer", "respond-async", "Content-Type", "application/x-ndjson"};
    String refused = "{\"op\":\"delete\",\"kind\":\"policy\",\"id\":\"none\"}\n";
    for (String set : List.of(put("gold", GOLD), refused)) {
      int before = items(0).size();
      HttpResponse<String> accepted = Http.send("POST", base, set, later);
      assertThat(accepted.statusCode()).isEqualTo(202);
      String id = json(accepted.body()).get("id").asText();
      List<JsonNode> lines = lines(before + 4).subList(before, before + 4);
      assertThat(lines.get(0).get("path").asText()).endsWith("/sluice/v1/bulk");
      assertThat(lines.get(0).get("operation").asText()).isEqualTo(id);
      assertThat(lines.get(1).get("atomic").asBoolean()).isTrue();
      assertThat(lines.get(1).get("changes")).hasSize(1);
      boolean isMade = !set.equals(refused);
      assertThat(lines.get(2).get("outcome").asText()).isEqualTo(isMade ? "made" : "refused");
      assertThat(lines.get(3).get("outcome").asText()).isEqualTo(isMade ? "made" : "refused");
      assertThat(lines.get(3).get("of").asInt()).isEqualTo(before + 1);
      JsonNode operation = json(Http.send("GET", server.base() + "/operations/" + id, null).body());
      assertThat(operation.get("state").asText()).isEqualTo(isMade ? "done" : "failed");
      assertThat(operation.get("status").asInt()).isEqualTo(isMade ? 200 : 404);
    }
  }

  /** What a process that is killed leaves is what it has written by then. */
  @Test
  void aDeathBetweenLogAndChangeLeavesALineThatTellsTheTruth() throws Exception {
    start();
    assertThat(send("PUT", "/policies/gold", GOLD)).isEqualTo(201);
    InMemoryNetworkStore[] left = new InMemoryNetworkStore[2];
    controller.before = () -> left[0] = store.copy();
    controller.after = () -> left[1] = store.copy();
    assertThat(send("PUT", "/policies/gold", SILVER)).isEqualTo(200);
    controller.before = () -> {};
    controller.after = () -> {};
    server.close();

    store = left[1];
    start();
    List<JsonNode> lines = items(2);
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0).get("after")).isEqualTo(json(SILVER));
    assertThat(lines.get(1).get("of").asInt()).isEqualTo(3);
    assertThat(lines.get(1).get("outcome").asText()).isEqualTo("interrupted");
    assertThat(lines.get(1).get("inForce")).isEqualTo(json(SILVER));
    server.close();

    // As the store is that the change never got to.
    MemoryController unchanged = controller;
    assertThat(unchanged.apply(goldAgain()).isAccepted()).isTrue();
    store = left[0];
    start();
    lines = items(2);
    assertThat(lines.get(1).get("outcome").asText()).isEqualTo("interrupted");
    assertThat(lines.get(1).get("inForce")).isEqualTo(json(GOLD));
    assertThat(lines.get(0).get("before")).isEqualTo(json(GOLD));
  }

  private static Change goldAgain() {
    return new Change.Put(new Policy("gold", BuiltInFunction.GOLD));
  }

  @Test
  void theOldestLinesGoAndTheOthersAreTold() throws Exception {
    start(2000);
    for (int i = 0; i < 20; i++) {
      assertThat(send("PUT", "/policies/gold", i % 2 == 0 ? GOLD : SILVER)).isIn(200, 201);
    }
    Patience.await("the oldest have gone", () -> items(0).get(0).get("seq").asLong() > 20);
    List<JsonNode> kept = items(0);
    long first =
        json(Http.send("GET", server.base() + "/audit", null).body()).get("first").asLong();
    assertThat(kept.get(0).get("seq").asLong()).isEqualTo(first);
    assertThat(kept.get(kept.size() - 1).get("seq").asLong()).isEqualTo(40);
    assertThat(kept).hasSize((int) (40 - first + 1));
    assertThat(items(39)).hasSize(1);
  }

  @Test
  void withoutRoomForTheLogNothingIsChanged() throws Exception {
    start();
    assertThat(send("PUT", "/policies/gold", GOLD)).isEqualTo(201);
    store.full(true);
    HttpResponse<String> refused = Http.send("PUT", server.base() + "/policies/gold", SILVER);
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.body()).contains("the audit log cannot be written");
    assertThat(Http.send("GET", server.base() + "/policies/gold", null).body())
        .contains("gold")
        .doesNotContain("silver");
    store.full(false);
    assertThat(send("PUT", "/policies/gold", SILVER)).isEqualTo(200);
  }
}
