package net.sluice.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpResponse;
import java.time.Duration;
import net.sluice.core.testing.ControllerRig;
import net.sluice.rest.testing.TestServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is declared for some time, as that time comes and goes. */
final class SchedulesContract {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final ControllerRig rig = ControllerRig.settled();
  private final TestServer server = new TestServer(rig.controller);

  @AfterEach
  void stop() throws Exception {
    server.close();
    rig.close();
  }

  private void put(String path, String body) throws Exception {
    HttpResponse<String> answer =
        server.send("PUT", path + "?waitMillis=0", body.replace('\'', '"'));
    assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201);
    rig.time.settle();
  }

  private JsonNode get(String path) throws Exception {
    return MAPPER.readTree(server.send("GET", path, null).body());
  }

  private void pass(int seconds) {
    rig.time.pass(Duration.ofSeconds(seconds));
  }

  @Test
  void whatIsDeclaredUntilATimeEndsThen() throws Exception {
    put("/policies/gold", "{'throughputValue':{'builtIn':'gold'}}");
    put("/policies/walled", "{'throughputValue':{'builtIn':'silver'}}");
    String then = rig.time.instant().plusSeconds(60).toString();
    String alice =
        "{'policy':'gold','prefixes':['10.0.0.1/32'],'attachment':{'port':0,'tree':3},"
            + "'schedule':[{'until':'%s','policy':'walled'}]}";
    put("/subscribers/alice", alice.formatted(then));
    String limit =
        "{'scope':{'subscriber':'alice'},'downBps':50000000,"
            + "'schedule':[{'until':'%s','downBps':90000000}]}";
    put("/rate-limits/alice", limit.formatted(then));
    assertThat(get("/rate-limits/alice").at("/requested/downBps").asLong()).isEqualTo(90_000_000);
    assertThat(get("/subscribers/alice").at("/inForce/policy").asText()).isEqualTo("walled");
    pass(75);
    assertThat(get("/rate-limits/alice").at("/requested/downBps").asLong()).isEqualTo(50_000_000);
    assertThat(get("/subscribers/alice").at("/inForce/policy").asText()).isEqualTo("gold");
    assertThat(get("/rate-limits/alice").at("/declared/downBps").asLong()).isEqualTo(50_000_000);
    assertThat(get("/subscribers/alice").at("/declared/policy").asText()).isEqualTo("gold");
  }
}
