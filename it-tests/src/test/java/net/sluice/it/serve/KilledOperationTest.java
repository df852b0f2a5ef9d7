package net.sluice.it.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.sluice.it.p4.FreePorts;
import net.sluice.testing.Http;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests that are answered 202 by a controller that is killed before they end. */
final class KilledOperationTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String TOPOLOGY =
      "{\"ports\": [{\"number\": 1, \"role\": \"access\", \"rateBps\": 100000000,"
          + " \"destinationMac\": \"02:00:00:01:00:01\"}, {\"number\": 2, \"role\": \"core\","
          + " \"rateBps\": 1000000000, \"destinationMac\": \"02:00:00:01:00:02\"}],"
          + " \"bngPorts\": {\"0\": 1}, \"routes\": [{\"prefix\": \"0.0.0.0/0\", \"port\": 2}]}";
  private static final String GOLD = "{\"throughputValue\":{\"builtIn\":\"gold\"}}";
  private static final String SILVER = "{\"throughputValue\":{\"builtIn\":\"silver\"}}";

  @TempDir Path folder;

  private final List<SluiceProcess> processes = new ArrayList<>();
  private int noSwitch;
  private String api;

  @BeforeEach
  void start() throws Exception {
    Files.writeString(folder.resolve("topology.json"), TOPOLOGY);
    noSwitch = FreePorts.next();
    serve();
  }

  @AfterEach
  void stop() {
    processes.forEach(SluiceProcess::close);
  }

  /**
   * Nothing listens where its switch is to be, so that what waits for installs never ends. It says
   * so after a while, and serves before.
   */
  private void serve() throws Exception {
    int port = FreePorts.next();
    api = "http://127.0.0.1:" + port + "/sluice/v1";
    processes.add(
        SluiceProcess.sluice(
            folder.resolve("serve-" + processes.size() + ".log"),
            "serve",
            "--http",
            "127.0.0.1:" + port,
            "--health",
            "127.0.0.1:0",
            "--data",
            folder.resolve("data").toString(),
            "--switch",
            "127.0.0.1:" + noSwitch,
            "--profile",
            "emulator",
            "--topology",
            folder.resolve("topology.json").toString()));
    Patience.awaitAnswer(
        "the API",
        Duration.ofSeconds(Patience.PROCESS_SECONDS),
        () -> Http.send("GET", api + "/version", null).statusCode(),
        status -> status == 200);
  }

  private void killAndServeAgain() throws Exception {
    processes.get(processes.size() - 1).kill();
    serve();
  }

  private JsonNode get(String path) throws Exception {
    HttpResponse<String> answer = Http.send("GET", api + path, null);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return MAPPER.readTree(answer.body());
  }

  private static String operation(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
    String location = answer.headers().firstValue("Location").orElseThrow();
    return location.substring(location.indexOf("/operations/"));
  }

  private void assertInterrupted(String path) throws Exception {
    JsonNode told = get(path);
    assertThat(told.get("state").asText()).as(told.toString()).isEqualTo("failed");
    assertThat(told.get("status").asInt()).isEqualTo(503);
    assertThat(told.at("/problem/type").asText()).isEqualTo("urn:sluice:problem:interrupted");
    assertThat(told.at("/problem/detail").asText()).contains("The controller ended before this");
  }

  private HttpResponse<String> patch() throws Exception {
    return Http.send(
        "PATCH",
        api + "/policies/gold",
        SILVER,
        "Content-Type",
        "application/merge-patch+json",
        "Prefer",
        "respond-async",
        "Idempotency-Key",
        "a");
  }

  @Test
  void aChangeThatWasAcceptedIsToldAfterTheKillAndItsKeyMakesItNoSecondTime() throws Exception {
    assertThat(Http.send("PUT", api + "/policies/gold?waitMillis=0", GOLD).statusCode())
        .isEqualTo(201);
    String path = operation(patch());
    killAndServeAgain();
    assertInterrupted(path);
    HttpResponse<String> again = patch();
    assertThat(again.statusCode()).as(again.body()).isEqualTo(409);
    assertThat(again.body())
        .contains(
            "The request of this key became operation "
                + path.substring("/operations/".length())
                + ", which was interrupted, and may have been made, in part or not at all;"
                + " allowed: another key, after a look at what is in force.");
    // The audit log has it, and what is in force.
    JsonNode lines = get("/audit").get("items");
    JsonNode asked = null;
    for (JsonNode line : lines) {
      if (line.path("method").asText().equals("PATCH") && asked == null) {
        asked = line;
      } else if (asked != null && line.path("of").asLong() == asked.get("seq").asLong()) {
        assertThat(line.get("outcome").asText()).isEqualTo("interrupted");
        assertThat(MAPPER.readTree(line.get("inForce").toString()))
            .isIn(MAPPER.readTree(GOLD), MAPPER.readTree(SILVER));
      }
    }
    assertThat(asked).as(lines.toString()).isNotNull();
    // And once more: what an earlier start has told stays.
    killAndServeAgain();
    assertInterrupted(path);
  }

  @Test
  void manyChangesThatWereAcceptedAreInTheAuditLogBeforeTheyAreBegun() throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 20_000; i++) {
      lines.append("{\"op\":\"put\",\"kind\":\"policy\",\"id\":\"gold\",\"value\":" + GOLD + "}\n");
    }
    HttpResponse<String> accepted =
        Http.send(
            "POST",
            api + "/bulk",
            lines.toString(),
            "Content-Type",
            "application/x-ndjson",
            "Prefer",
            "respond-async");
    String path = operation(accepted);
    killAndServeAgain();
    JsonNode told = get(path);
    assertThat(told.get("state").asText()).isIn("done", "failed");
    String id = path.substring("/operations/".length());
    JsonNode first = get("/audit?limit=1").get("items").get(0);
    assertThat(first.get("path").asText()).isEqualTo("/sluice/v1/bulk");
    assertThat(first.get("operation").asText()).isEqualTo(id);
  }

  private static String put(String kind, String id, String value) {
    return "{\"op\":\"put\",\"kind\":\"%s\",\"id\":\"%s\",\"value\":%s}\n"
        .formatted(kind, id, value);
  }

  private static String home(String policy, int downBps) {
    return "{\"policy\":\"%s\",\"downBps\":%d}".formatted(policy, downBps);
  }

  /** They have it as it was, or as it is to be. */
  @Test
  void aTariffIsAnotherOneForAllOfItsSubscribersOrForNone() throws Exception {
    StringBuilder lines = new StringBuilder();
    lines.append(put("policy", "gold", GOLD)).append(put("policy", "silver", SILVER));
    lines.append(put("tariff", "home", home("silver", 10_000_000)));
    for (int i = 0; i < 1_000; i++) {
      lines.append(
          put(
              "subscriber",
              "s" + i,
              "{\"tariff\":\"home\",\"prefixes\":[\"10.0.%d.%d/32\"],".formatted(i / 250, i % 250)
                  + "\"attachment\":{\"port\":0,\"tree\":3}}"));
    }
    HttpResponse<String> bulk =
        Http.send("POST", api + "/bulk", lines.toString(), "Content-Type", "application/x-ndjson");
    assertThat(bulk.body()).doesNotContain("problem");

    String path =
        operation(
            Http.send(
                "PUT", api + "/tariffs/home", home("gold", 20_000_000), "Prefer", "respond-async"));
    killAndServeAgain();
    assertThat(get(path).get("state").asText()).isIn("done", "failed");
    String policy = get("/tariffs/home").at("/declared/policy").asText();
    assertThat(policy).isIn("gold", "silver");
    assertThat(get("/subscribers?limit=1000&fields=declared&policy=" + policy).get("items"))
        .hasSize(1_000);
    int downBps = policy.equals("gold") ? 20_000_000 : 10_000_000;
    JsonNode limits = get("/rate-limits?limit=1000&fields=declared").get("items");
    assertThat(limits).hasSize(1_000);
    assertThat(limits).allMatch(limit -> limit.at("/declared/downBps").asInt() == downBps);
  }
}
