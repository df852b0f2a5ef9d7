package net.sluice.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import net.sluice.core.Outcome;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.host.SwitchDeclarations;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.json.MergePatch;
import net.sluice.rest.testing.MemoryController;
import net.sluice.rest.testing.TestEdge;
import net.sluice.rest.testing.TestServer;
import net.sluice.rest.testing.TestServices;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes of what their sender knows, and of nothing else. */
final class ConditionsContract {
  private static final String JSON = "application/json";
  private static final String GOLD = "{\"throughputValue\":{\"builtIn\":\"gold\"}}";
  private static final String SILVER = "{\"throughputValue\":{\"builtIn\":\"silver\"}}";

  /** Lets somebody else change it between the look at it and the change. */
  private static final class Overtaken extends MemoryController {
    private Runnable before = () -> {};

    Overtaken() {
      super(10);
    }

    @Override
    public Outcome apply(Change change) {
      Runnable now = before;
      before = () -> {};
      now.run();
      return super.apply(change);
    }
  }

  private final Overtaken controller = new Overtaken();
  private TestServer server = new TestServer(controller);

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private HttpResponse<String> put(String body, String... headers) throws Exception {
    return server.send("PUT", "/policies/p", JSON, body, headers);
  }

  private static String tag(HttpResponse<String> response) {
    return response.headers().firstValue("ETag").orElseThrow();
  }

  @Test
  void aChangeOfWhatIsNotKnownAnyMoreIsRefused() throws Exception {
    String first = tag(put(GOLD));
    assertThat(tag(server.send("GET", "/policies/p", null))).isEqualTo(first);
    HttpResponse<String> second = put(SILVER, "If-Match", "\"none\", " + first);
    assertThat(second.statusCode()).isEqualTo(200);
    assertThat(tag(second)).isNotEqualTo(first);
    HttpResponse<String> late = put(GOLD, "If-Match", first);
    assertThat(late.statusCode()).isEqualTo(412);
    assertThat(late.body())
        .contains("urn:sluice:problem:precondition-failed", "its ETag is \\\"")
        .contains(tag(second).replace("\"", ""));
    assertThat(server.send("GET", "/policies/p", null).body()).contains("silver");
    assertThat(server.send("DELETE", "/policies/p", JSON, null, "If-Match", first).statusCode())
        .isEqualTo(412);
    assertThat(
            server
                .send("DELETE", "/policies/p?dryRun=true", JSON, null, "If-Match", first)
                .statusCode())
        .isEqualTo(412);
    assertThat(put(SILVER, "If-Match", "*").statusCode()).isEqualTo(200);
    assertThat(
            server.send("DELETE", "/policies/p", JSON, null, "If-Match", tag(second)).statusCode())
        .isIn(202, 204);
    assertThat(put(SILVER, "If-Match", "*").statusCode()).isEqualTo(412);
  }

  @Test
  void whoeverIsOvertakenBetweenLookAndChangeIsRefused() throws Exception {
    String first = tag(put(GOLD));
    controller.before =
        () -> controller.apply(new Change.Put(new Policy("p", BuiltInFunction.SILVER)));
    assertThat(put(GOLD, "If-Match", first).statusCode()).isEqualTo(412);
    assertThat(server.send("GET", "/policies/p", null).body()).contains("silver");
    String now = tag(server.send("GET", "/policies/p", null));
    controller.before =
        () -> controller.apply(new Change.Put(new Policy("p", BuiltInFunction.GOLD)));
    assertThat(server.send("DELETE", "/policies/p", JSON, null, "If-Match", now).statusCode())
        .isEqualTo(412);
    assertThat(server.send("GET", "/policies/p", null).body()).contains("gold");
  }

  private void limited(long bps) {
    Change limit =
        new Change.Put(
            new RateLimit(
                "l",
                new Scope.OfSubscriber("alice"),
                OptionalLong.of(bps),
                OptionalLong.empty(),
                OptionalInt.empty()));
    assertThat(controller.apply(limit).isAccepted()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"99, 200, closed", "100, 503, "})
  void aGateIsTriedAHundredTimesWhileOthersChangeTheLimit(int times, int status, String gate)
      throws Exception {
    String unused = tag(put(GOLD));
    String alice =
        "{\"policy\":\"p\",\"prefixes\":[\"10.0.0.1/32\"],\"attachment\":{\"port\":0,\"tree\":3}}";
    assertThat(server.send("PUT", "/subscribers/alice", JSON, alice).statusCode()).isEqualTo(201);
    limited(10_000_000);
    AtomicInteger contended = new AtomicInteger();
    Runnable contender =
        new Runnable() {
          @Override
          public void run() {
            if (contended.get() < times) {
              limited(10_000_000 + contended.incrementAndGet());
              controller.before = this;
            }
          }
        };
    controller.before = contender;
    HttpResponse<String> answer =
        server.send("POST", "/subscribers/alice/gate", JSON, "{\"gate\":\"closed\"}");
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(contended).hasValue(times);
    if (status == 503) {
      assertThat(answer.body())
          .contains(
              "the gate of subscriber alice is not closed: others changed its rate limit 100 times"
                  + " meanwhile.");
      assertThat(answer.headers().firstValue("Retry-After")).contains("1");
    }
    String limit = server.send("GET", "/rate-limits/l", null).body();
    assertThat(limit).contains("\"downBps\":" + (10_000_000 + times));
    assertThat(limit.contains("\"gate\":\"closed\"")).isEqualTo(gate != null);
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "\"a", "\"a\" \"b\"", "a, \"b\"", "*, \"a\""})
  void aTagThatIsNoneIsRefused(String tag) throws Exception {
    String unused = tag(put(GOLD));
    assertThat(put(SILVER, "If-Match", tag).statusCode()).isEqualTo(400);
  }

  @Test
  void aWeakTagNeverMatchesButRulesOut() throws Exception {
    String first = tag(put(GOLD));
    assertThat(put(SILVER, "If-Match", "W/" + first).statusCode()).isEqualTo(412);
    assertThat(put(SILVER, "If-None-Match", "W/" + first).statusCode()).isEqualTo(412);
    assertThat(put(SILVER, "If-None-Match", "\"other\"").statusCode()).isEqualTo(200);
  }

  @Test
  void whatIsToBeNewIsMadeOnce() throws Exception {
    assertThat(put(GOLD, "If-None-Match", "*").statusCode()).isEqualTo(201);
    HttpResponse<String> again = put(SILVER, "If-None-Match", "*");
    assertThat(again.statusCode()).isEqualTo(412);
    assertThat(again.body()).contains("The policy p is there, with ETag \\\"");
    assertThat(server.send("GET", "/policies/p", null).body()).contains("gold");
    assertThat(
            server
                .send("PUT", "/policies/p?dryRun=true", JSON, SILVER, "If-None-Match", "*")
                .statusCode())
        .isEqualTo(412);
  }

  @Test
  void oneOfTwoWhoMakeItAtOnceIsRefused() throws Exception {
    controller.before =
        () -> controller.apply(new Change.Put(new Policy("p", BuiltInFunction.SILVER)));
    assertThat(put(GOLD, "If-None-Match", "*").statusCode()).isEqualTo(412);
    assertThat(server.send("GET", "/policies/p", null).body()).contains("silver");
  }

  @Test
  void aConditionThatStillHoldsAfterAnotherChangeIsNoRefusal() throws Exception {
    String unused = tag(put(GOLD));
    controller.before =
        () -> controller.apply(new Change.Put(new Policy("p", BuiltInFunction.SILVER)));
    assertThat(put(GOLD, "If-Match", "*").statusCode()).isEqualTo(200);
    assertThat(server.send("GET", "/policies/p", null).body()).contains("gold");
  }

  @Test
  void whoKnowsWhatIsDeclaredIsNotToldAgain() throws Exception {
    String first = tag(put(GOLD));
    HttpResponse<String> known =
        server.send("GET", "/policies/p", JSON, null, "If-None-Match", first);
    assertThat(known.statusCode()).isEqualTo(304);
    assertThat(known.body()).isEmpty();
    assertThat(tag(known)).isEqualTo(first);
    assertThat(known.headers().firstValue("Cache-Control")).contains("no-store");
    String second = tag(put(SILVER));
    HttpResponse<String> news =
        server.send("GET", "/policies/p", JSON, null, "If-None-Match", first);
    assertThat(news.statusCode()).isEqualTo(200);
    assertThat(tag(news)).isEqualTo(second);
  }

  @ParameterizedTest
  @ValueSource(strings = {"handling=strict", "wait=3, Handling=\"strict\"; x=y"})
  void aClientMayHaveItsUnconditionalChangesRefused(String preference) throws Exception {
    HttpResponse<String> refused = put(GOLD, "Prefer", preference);
    assertThat(refused.statusCode()).isEqualTo(428);
    assertThat(refused.body())
        .contains(
            "If-Match is absent; allowed: the ETag of policy p, or If-None-Match with * if there is"
                + " to be none.");
    String first = tag(put(GOLD, "Prefer", preference, "If-None-Match", "*"));
    assertThat(server.send("DELETE", "/policies/p", JSON, null, "Prefer", preference).statusCode())
        .isEqualTo(428);
    assertThat(
            server
                .send("DELETE", "/policies/p", JSON, null, "Prefer", preference, "If-Match", first)
                .statusCode())
        .isEqualTo(204);
    assertThat(put(GOLD, "Prefer", "handling=lenient, handling=strict").statusCode())
        .isEqualTo(201);
  }

  private String bulk(String... lines) throws Exception {
    HttpResponse<String> answer =
        server.send("POST", "/bulk", "application/x-ndjson", String.join("\n", lines));
    assertThat(answer.statusCode()).isEqualTo(200);
    return answer.body();
  }

  private static String line(String builtIn, String condition) {
    return ("{\"op\":\"put\",\"kind\":\"policy\",\"id\":\"p\","
            + "\"value\":{\"throughputValue\":{\"builtIn\":\"%s\"}}%s}")
        .formatted(builtIn, condition);
  }

  @Test
  void aLineOfABulkRequestIsMadeWhereItsConditionHolds() throws Exception {
    String first = tag(put(GOLD)).replace("\"", "");
    String second = tag(put(SILVER)).replace("\"", "");
    String answer =
        bulk(
            line("gold", ",\"ifMatch\":\"%s\"".formatted(first)),
            line("gold", ",\"ifMatch\":\"%s\"".formatted(second)),
            line("silver", ",\"ifMatch\":\"%s\"".formatted(second)),
            line("silver", ",\"ifMatch\":\"%s\"".formatted(first)),
            line("gold", ",\"ifNoneMatch\":\"*\""),
            "{\"op\":\"delete\",\"kind\":\"policy\",\"id\":\"p\",\"ifMatch\":\"*\"}",
            line("gold", ",\"ifNoneMatch\":\"*\""),
            line("gold", ",\"ifMatch\":1"));
    assertThat(answer.lines().map(each -> each.replaceAll(".*?\"status\":(\\d+).*", "$1")))
        .containsExactly("412", "200", "412", "200", "412", "200", "200", "400");
    assertThat(server.send("GET", "/policies/p", null).body()).contains("gold");
  }

  private HttpResponse<String> ask(String query, String line, String... headers) throws Exception {
    return server.send("POST", "/bulk" + query, "application/x-ndjson", line, headers);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?dryRun=true", "?atomic=true"})
  void aBulkRequestHasNoConditionForAllOfItsLines(String query) throws Exception {
    String first = tag(put(GOLD));
    for (String header : List.of("If-Match", "If-None-Match")) {
      for (String preference : List.of("handling=lenient", "respond-async")) {
        HttpResponse<String> refused =
            ask(query, line("silver", ""), header, first, "Prefer", preference);
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body())
            .contains(
                "urn:sluice:problem:malformed",
                "\"field\":\"" + header + "\"",
                "allowed: absent: the condition of a line is its ifMatch or ifNoneMatch.");
      }
    }
    assertThat(tag(server.send("GET", "/policies/p", null))).isEqualTo(first);
  }

  @Test
  void aClientMayHaveTheUnconditionalLinesOfABulkRequestRefused() throws Exception {
    String tag = tag(put(GOLD));
    String bare = line("silver", "");
    String missing =
        "ifMatch is absent; allowed: the ETag of policy p, or ifNoneMatch with * if there is to be"
            + " none.";
    HttpResponse<String> one = ask("", bare, "Prefer", "handling=strict");
    assertThat(one.statusCode()).isEqualTo(200);
    assertThat(one.body()).contains("\"status\":428", missing);
    HttpResponse<String> set = ask("?atomic=true", bare, "Prefer", "handling=strict");
    assertThat(set.statusCode()).isEqualTo(428);
    assertThat(set.body()).contains("Line 1: " + missing);
    assertThat(tag(server.send("GET", "/policies/p", null))).isEqualTo(tag);
    assertThat(ask("?dryRun=true", bare, "Prefer", "handling=strict").body())
        .contains("\"status\":200");
    String conditional = line("silver", ",\"ifMatch\":%s".formatted(tag));
    assertThat(ask("?atomic=true", conditional, "Prefer", "handling=strict").statusCode())
        .isEqualTo(200);
    assertThat(tag(server.send("GET", "/policies/p", null))).isNotEqualTo(tag);
  }

  @Test
  void anExportTellsTags() throws Exception {
    String first = tag(put(GOLD)).replace("\"", "");
    String lines = server.send("GET", "/export?ifMatch=true", null).body();
    assertThat(lines).isEqualTo(line("gold", ",\"ifMatch\":\"%s\"".formatted(first)) + "\n");
    assertThat(bulk(lines.strip())).contains("\"status\":200");
  }

  private HttpResponse<String> patch(String body, String... headers) throws Exception {
    return server.send("PATCH", "/policies/p", MergePatch.MEDIA_TYPE, body, headers);
  }

  @Test
  void aPatchChangesTheFieldsThatItNames() throws Exception {
    assertThat(patch("{}").statusCode()).isEqualTo(404);
    String first = tag(put(GOLD));
    String aqm =
        "{\"aqm\":{\"kind\":\"codel-act\",\"targetMicros\":5000,\"intervalMicros\":100000}}";
    HttpResponse<String> dry =
        server.send("PATCH", "/policies/p?dryRun=true", MergePatch.MEDIA_TYPE, aqm);
    assertThat(dry.body()).contains("\"dryRun\":true", "codel-act", "\"builtIn\":\"gold\"");
    assertThat(tag(server.send("GET", "/policies/p", null))).isEqualTo(first);
    HttpResponse<String> second = patch(aqm, "If-Match", first);
    assertThat(second.statusCode()).isEqualTo(200);
    assertThat(second.body()).contains("codel-act", "\"builtIn\":\"gold\"");
    assertThat(patch(aqm, "If-Match", first).statusCode()).isEqualTo(412);
    HttpResponse<String> third =
        patch("{\"throughputValue\":{\"builtIn\":\"silver\"},\"aqm\":{\"targetMicros\":4000}}");
    assertThat(third.body())
        .contains("\"targetMicros\":4000,\"intervalMicros\":100000", "\"builtIn\":\"silver\"");
    assertThat(tag(patch("{\"throughputValue\":{\"builtIn\":\"gold\"},\"aqm\":null}")))
        .isEqualTo(first);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"throughputValue\":null}",
        "{\"throughputValue\":{\"builtIn\":\"bronze\"}}",
        "{\"aqm\":1}",
        "{\"colour\":\"red\"}",
        "{\"aqm\":null,\"aqm\":null}",
        "[]"
      })
  void aPatchIsRefusedAsAPutOfItsResult(String patch) throws Exception {
    String first = tag(put(GOLD));
    HttpResponse<String> refused = patch(patch);
    assertThat(refused.statusCode()).isIn(400, 422);
    String put =
        switch (patch) {
          case "{\"throughputValue\":null}" -> "{}";
          case "{\"aqm\":null,\"aqm\":null}" ->
              "{\"throughputValue\":{\"builtIn\":\"gold\"},\"aqm\":null,\"aqm\":null}";
          case "{\"aqm\":1}", "{\"colour\":\"red\"}" ->
              "{\"throughputValue\":{\"builtIn\":\"gold\"}," + patch.substring(1);
          default -> patch;
        };
    assertThat(refused.body()).isEqualTo(put(put).body());
    assertThat(tag(server.send("GET", "/policies/p", null))).isEqualTo(first);
  }

  @Test
  void aPatchIsOfWhatIsThereAsItIsMade() throws Exception {
    String unused = tag(put(GOLD));
    controller.before =
        () -> controller.apply(new Change.Put(new Policy("p", BuiltInFunction.SILVER)));
    String aqm = "{\"aqm\":{\"kind\":\"none\"}}";
    assertThat(patch(aqm).body()).contains("\"builtIn\":\"silver\"", "\"kind\":\"none\"");
    controller.before = () -> controller.apply(new Change.Delete(Kind.POLICY, "p"));
    assertThat(patch(aqm).statusCode()).isEqualTo(404);
  }

  @Test
  void aPatchIsAMergePatch() throws Exception {
    String unused = tag(put(GOLD));
    HttpResponse<String> refused = server.send("PATCH", "/policies/p", JSON, "{}");
    assertThat(refused.statusCode()).isEqualTo(415);
    assertThat(refused.headers().firstValue("Accept-Patch")).contains(MergePatch.MEDIA_TYPE);
    assertThat(refused.body())
        .contains("Content-Type is 'application/json'; allowed: application/merge-patch+json.");
    assertThat(server.send("PATCH", "/policies", MergePatch.MEDIA_TYPE, "{}").statusCode())
        .isEqualTo(405);
  }

  /** Where a follower hands the request on, for its client that instance is the server. */
  @Test
  void aConditionThatTheConnectionNamesCountsToo() throws Exception {
    String unused = tag(put(GOLD));
    URI base = server.base();
    String request =
        "PUT %s/policies/p HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: %d\r\n"
                .formatted(base.getPath(), JSON, SILVER.length())
            + "If-None-Match: *\r\nConnection: close, if-none-match\r\n\r\n"
            + SILVER;
    try (Socket socket = new Socket(base.getHost(), base.getPort())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
          .isEqualTo("HTTP/1.1 412");
    }
  }

  /** Keeps the switches that are declared. */
  private static final class MemorySwitches implements SwitchDeclarations {
    private final Map<String, byte[]> documents = new HashMap<>();

    @Override
    public Map<String, byte[]> documents() {
      return Map.copyOf(documents);
    }

    @Override
    public boolean put(String name, JsonValue body, byte[] document, Requirement requirement)
        throws Refusal {
      requirement.check(Optional.ofNullable(documents.get(name)));
      return documents.put(name, document) == null;
    }

    @Override
    public void delete(String name, Requirement requirement) throws Refusal {
      requirement.check(Optional.ofNullable(documents.get(name)));
      documents.remove(name);
    }
  }

  private static final String BNG1 =
      "{\"p4runtime\": \"127.0.0.1:9559\", \"topology\": {\"bngPorts\": {}, \"ports\":"
          + " [{\"number\": 1, \"role\": \"core\", \"rateBps\": 1000000000}]}}";
  private static final String BNG2 = BNG1.replace("9559", "9560");

  private HttpResponse<String> send(String method, String path, String body, String... headers)
      throws Exception {
    String type = method.equals("PATCH") ? MergePatch.MEDIA_TYPE : JSON;
    return server.send(method, path, type, body, headers);
  }

  @Test
  void aSwitchIsChangedByWhoKnowsIt() throws Exception {
    server.close();
    TestEdge requests = new TestEdge(false, true, List.of(), Optional.empty());
    server = new TestServer(new TestServices(controller).with(new MemorySwitches()).with(requests));
    assertThat(send("PUT", "/switches/switch", BNG2).body())
        .contains(
            "If-Match is absent; allowed: the ETag of switch switch, or If-None-Match with *");
    HttpResponse<String> made = send("PUT", "/switches/switch", BNG1, "If-None-Match", "*");
    assertThat(made.statusCode()).isEqualTo(201);
    assertThat(send("PUT", "/switches/switch", BNG2, "If-None-Match", "*").statusCode())
        .isEqualTo(412);
    HttpResponse<String> got = send("GET", "/switches/switch", null);
    assertThat(tag(got)).isEqualTo(tag(made));
    assertThat(send("GET", "/switches/switch", null, "If-None-Match", tag(made)).statusCode())
        .isEqualTo(304);
    HttpResponse<String> same =
        send("PUT", "/switches/switch", BNG1.replace(" ", ""), "If-Match", tag(made));
    assertThat(same.statusCode()).isEqualTo(200);
    assertThat(tag(same)).isEqualTo(tag(made));
    HttpResponse<String> other = send("PUT", "/switches/switch", BNG2, "If-Match", tag(made));
    assertThat(tag(other)).isNotEqualTo(tag(made));
    for (String method : List.of("PUT", "DELETE", "PATCH")) {
      String body = method.equals("DELETE") ? null : BNG2;
      HttpResponse<String> late = send(method, "/switches/switch", body, "If-Match", tag(made));
      assertThat(late.statusCode()).isEqualTo(412);
      assertThat(late.body())
          .contains("The switch switch is not what If-Match says; its ETag is ")
          .contains(tag(other).replace("\"", ""));
    }
    HttpResponse<String> patched =
        send("PATCH", "/switches/switch", "{\"deviceId\":7}", "If-Match", tag(other));
    assertThat(patched.statusCode()).isEqualTo(200);
    assertThat(patched.body()).contains("\"deviceId\":7", "127.0.0.1:9560");
    assertThat(
            tag(send("PATCH", "/switches/switch", "{\"deviceId\":null}", "If-Match", tag(patched))))
        .isEqualTo(tag(other));
    assertThat(send("PATCH", "/switches/none", "{}", "If-Match", "*").statusCode()).isEqualTo(404);
    assertThat(send("PATCH", "/switches/switch", "{}").statusCode()).isEqualTo(428);
    assertThat(send("DELETE", "/switches/switch", null).statusCode()).isEqualTo(428);
    assertThat(send("DELETE", "/switches/switch", null, "If-Match", tag(other)).statusCode())
        .isEqualTo(204);
  }
}
