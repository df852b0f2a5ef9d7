package net.sluice.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import net.sluice.core.ControllerEvent;
import net.sluice.core.ControllerListener;
import net.sluice.core.TargetDrift;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.testing.MemoryController;
import net.sluice.rest.testing.TestServer;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests with {@code Prefer: respond-async}, and what is told of them. */
public class OperationsContract {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String GOLD = "{\"throughputValue\":{\"builtIn\":\"gold\"}}";

  /** Tells when somebody listens, and compares its targets now. */
  private static final class Compared extends MemoryController {
    private final LinkedBlockingQueue<ControllerListener> listeners = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<ControllerListener> gone = new LinkedBlockingQueue<>();
    private Instant comparedAt = Instant.EPOCH;

    Compared() {
      super(10);
    }

    @Override
    public Registration listen(ControllerListener listener) {
      listeners.add(listener);
      return () -> gone.add(listener);
    }

    @Override
    public synchronized TargetDrift drift(String target) throws Refusal {
      TargetDrift drift = super.drift(target);
      return new TargetDrift(
          target,
          new TargetDrift.Comparison(
              Optional.of(comparedAt),
              Duration.ZERO,
              0,
              0,
              drift.compared().revisionKept(),
              0,
              List.of()),
          0,
          0,
          0,
          true,
          Map.of());
    }
  }

  private final Compared controller = new Compared();
  private final TestServer server = new TestServer(controller);

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private HttpResponse<String> ask(String method, String path, String type, String body)
      throws Exception {
    return server.send(method, path, type, body, "Prefer", "respond-async");
  }

  private static JsonNode json(HttpResponse<String> answer) throws Exception {
    return MAPPER.readTree(answer.body());
  }

  /** The path below the API's of where an answer says the operation is. */
  private String location(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
    assertThat(answer.headers().firstValue("Preference-Applied")).contains("respond-async");
    String location = answer.headers().firstValue("Location").orElseThrow();
    assertThat(location).startsWith(server.base() + "/operations/");
    return location.substring(server.base().toString().length());
  }

  private JsonNode ended(String path) throws Exception {
    return Patience.await(
        "the end of " + path,
        () -> json(server.send("GET", path, null)),
        operation -> !operation.get("state").asText().equals("running"));
  }

  @Test
  void aPutIsAnsweredBeforeItIsInstalledAndTellsItsAnswerAfterwards() throws Exception {
    CompletableFuture<Boolean> installed = new CompletableFuture<>();
    CountDownLatch asked = new CountDownLatch(1);
    controller.installsEndWith(installed, asked);
    String path = location(ask("PUT", "/policies/gold", "application/json", GOLD));
    asked.await();
    JsonNode running = json(server.send("GET", path, null));
    assertThat(running.get("state").asText()).isEqualTo("running");
    assertThat(running.get("request").asText())
        .endsWith("PUT " + server.base().getPath() + "/policies/gold");
    installed.complete(true);
    JsonNode done = ended(path);
    assertThat(done.get("state").asText()).isEqualTo("done");
    assertThat(done.get("status").asInt()).isEqualTo(201);
    assertThat(done.at("/result/id").asText()).isEqualTo("gold");
    assertThat(Instant.parse(done.get("endedAt").asText()))
        .isAfterOrEqualTo(Instant.parse(done.get("startedAt").asText()));
    assertThat(json(server.send("GET", "/operations", null)).at("/operations/0/id"))
        .isEqualTo(done.get("id"));
  }

  @Test
  void aRefusalIsTheProblemOfTheOperation() throws Exception {
    String alice = "{\"policy\":\"none\",\"sVlan\":7,\"attachment\":{\"port\":0,\"tree\":3}}";
    JsonNode failed = ended(location(ask("PUT", "/subscribers/alice", "application/json", alice)));
    assertThat(failed.get("state").asText()).isEqualTo("failed");
    assertThat(failed.get("status").asInt()).isEqualTo(422);
    assertThat(failed.at("/problem/errors/0/field").asText()).isEqualTo("policy");
    HttpResponse<String> noForm = ask("PUT", "/policies/gold", "application/json", "{");
    assertThat(noForm.statusCode()).isEqualTo(400);
    String patched = location(ask("PATCH", "/policies/none", "application/merge-patch+json", "{}"));
    assertThat(ended(patched).get("status").asInt()).isEqualTo(404);
  }

  @Test
  void aBulkRequestTellsItsNumbersAndWhatWasNotMade() throws Exception {
    String lines =
        "{\"op\":\"put\",\"kind\":\"policy\",\"id\":\"gold\",\"value\":"
            + GOLD
            + "}\n"
            + "nonsense\n"
            + "{\"op\":\"delete\",\"kind\":\"policy\",\"id\":\"status200\"}";
    JsonNode done = ended(location(ask("POST", "/bulk", "application/x-ndjson", lines)));
    assertThat(done.get("state").asText()).as(done.toString()).isEqualTo("done");
    assertThat(done.at("/progress/lines").asInt()).isEqualTo(3);
    assertThat(done.at("/result/lines").asInt()).isEqualTo(3);
    assertThat(done.at("/result/made").asInt()).isEqualTo(1);
    assertThat(done.at("/result/notMade").findValuesAsText("line")).containsExactly("2", "3");
    assertThat(done.at("/result/notMade/1/problem/status").asInt()).isEqualTo(404);
  }

  @Test
  void aReconciliationEndsWithTheComparisonThatItAskedFor() throws Exception {
    // Those of the API itself.
    controller.listeners.clear();
    HttpResponse<String> answer =
        server.send("POST", "/targets/switch/reconcile", null, null, "Prefer", "respond-async");
    assertThat(json(answer).get("target").asText()).isEqualTo("switch");
    String path = location(answer);
    ControllerListener listener = controller.listeners.take();
    ControllerEvent event = new ControllerEvent.Reconciled("switch", null);
    // One that had begun before.
    listener.on(event);
    listener.on(new ControllerEvent.Reconciled("fpga-down", null));
    assertThat(json(server.send("GET", path, null)).get("state").asText()).isEqualTo("running");
    controller.comparedAt = Instant.now().plusSeconds(1);
    listener.on(event);
    JsonNode done = ended(path);
    assertThat(done.get("state").asText()).isEqualTo("done");
    assertThat(done.at("/result/target").asText()).isEqualTo("switch");
    assertThat(controller.gone.take()).isSameAs(listener);
  }

  @Test
  void whatIsRefusedAtOnceIsNoOperation() throws Exception {
    assertThat(
            server
                .send("POST", "/targets/switch/adopt", null, null, "Prefer", "respond-async")
                .statusCode())
        .isEqualTo(409);
    HttpResponse<String> dryRun =
        ask("PUT", "/policies/gold?dryRun=true", "application/json", GOLD);
    assertThat(dryRun.statusCode()).isEqualTo(200);
    HttpResponse<String> unknown = server.send("GET", "/operations/a-1", null);
    assertThat(unknown.statusCode()).isEqualTo(404);
    assertThat(unknown.body()).contains("There is no operation a-1 any more, or yet.");
  }

  @Test
  void moreThanSomeAreRefused() throws Exception {
    CompletableFuture<Boolean> installed = new CompletableFuture<>();
    controller.installsEndWith(installed, new CountDownLatch(1));
    for (int i = 0; i < 64; i++) {
      location(ask("PUT", "/policies/gold", "application/json", GOLD));
    }
    HttpResponse<String> refused = ask("PUT", "/policies/gold", "application/json", GOLD);
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.body()).contains("64 operations are under way");
    installed.complete(true);
  }
}
