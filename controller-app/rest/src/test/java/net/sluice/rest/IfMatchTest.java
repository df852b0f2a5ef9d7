package net.sluice.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import net.sluice.core.Outcome;
import net.sluice.intents.model.BuiltInFunction;
import net.sluice.intents.model.Policy;
import net.sluice.intents.plan.Change;
import net.sluice.rest.testing.MemoryController;
import net.sluice.rest.testing.TestServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes of what their sender knows, and of nothing else. */
final class IfMatchTest {
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
  private final TestServer server = new TestServer(controller);

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

  @ParameterizedTest
  @ValueSource(strings = {"none", "\"a", "\"a\" \"b\"", "a, \"b\"", "*, \"a\""})
  void aTagThatIsNoneIsRefused(String tag) throws Exception {
    String unused = tag(put(GOLD));
    assertThat(put(SILVER, "If-Match", tag).statusCode()).isEqualTo(400);
  }

  @Test
  void aWeakTagNeverMatches() throws Exception {
    String first = tag(put(GOLD));
    assertThat(put(SILVER, "If-Match", "W/" + first).statusCode()).isEqualTo(412);
  }
}
