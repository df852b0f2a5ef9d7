package net.sluice.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.time.Duration;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.rest.testing.TestServer;
import net.sluice.rest.testing.Transcript;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tariffs and their subscribers, over HTTP. */
class TariffsContract {
  private static final String HOME =
      "{\"policy\":\"gold\",\"downBps\":25000000,\"upBps\":5000000,\"labels\":{\"line\":\"home\"}}";
  private static final String ALICE =
      "{\"tariff\":\"home\",\"prefixes\":[\"10.0.0.1/32\"],\"attachment\":{\"port\":0,\"tree\":3}}";

  private final ControllerRig rig = ControllerRig.settled();
  private final TestServer server = new TestServer(rig.controller);
  private final Transcript transcript = new Transcript(server);

  @AfterEach
  void stop() throws Exception {
    server.close();
    rig.close();
  }

  @Test
  void aSubscriberHasWhatItsTariffSays() throws Exception {
    rig.accept(TestNetwork.policy("gold", BuiltInFunction.GOLD));
    rig.accept(TestNetwork.policy("silver", BuiltInFunction.SILVER));
    transcript.json("PUT", "/tariffs/home?waitMillis=0", HOME);
    transcript.json("PUT", "/subscribers/alice?waitMillis=0", ALICE);
    rig.time.pass(Duration.ofSeconds(1));
    transcript.json("GET", "/subscribers/alice?fields=declared,limits,effective,notes", null);
    transcript.json("GET", "/rate-limits/~alice?fields=declared,granted,notes", null);
    transcript.json("GET", "/tariffs?label=line:home&fields=declared,notes", null);
    transcript.json("GET", "/subscribers?tariff=home&fields=declared", null);
    transcript.json(
        "PUT", "/rate-limits/~alice", "{\"scope\":{\"subscriber\":\"alice\"},\"downBps\":1000000}");
    transcript.json("DELETE", "/rate-limits/~alice", null);
    transcript.json("DELETE", "/tariffs/home", null);
    transcript.json("PUT", "/tariffs/home?dryRun=true", HOME.replace("25000000", "900000000000"));
    transcript.json("PUT", "/tariffs/none", HOME.replace("25000000", "1000000000001"));
    transcript.json(
        "PUT",
        "/subscribers/alice",
        ALICE.replace("\"home\"", "\"home\",\"overrides\":{\"downBps\":900000000000}"));
    transcript.json(
        "PUT",
        "/subscribers/alice?waitMillis=0",
        ALICE.replace("\"home\"", "\"home\",\"overrides\":{\"downBps\":50000000}"));
    for (String wrong :
        new String[] {
          ALICE.replace("\"tariff\":\"home\",", ""),
          ALICE.replace("\"tariff\":\"home\"", "\"policy\":\"gold\",\"overrides\":{\"upBps\":1}"),
          ALICE.replace("\"home\"", "\"none\""),
          ALICE.replace("\"home\"", "\"home\",\"overrides\":{\"speed\":1}")
        }) {
      transcript.json("PUT", "/subscribers/wrong", wrong.replace("10.0.0.1", "10.0.0.9"));
    }
    Golden.check("api-tariffs.txt", transcript.toString());
  }

  /** What a bulk's lines put is what an export has. */
  @Test
  void aBulkTakesWhatAnExportHas() throws Exception {
    String lines =
        "{\"op\":\"put\",\"kind\":\"policy\",\"id\":\"gold\",\"value\":{\"throughputValue\":"
            + "{\"builtIn\":\"gold\"}}}\n"
            + "{\"op\":\"put\",\"kind\":\"tariff\",\"id\":\"home\",\"value\":"
            + HOME
            + "}\n{\"op\":\"put\",\"kind\":\"subscriber\",\"id\":\"alice\",\"value\":"
            + "{\"prefixes\":[\"10.0.0.1/32\"],\"attachment\":{\"port\":0,\"tree\":3},"
            + "\"tariff\":\"home\"}}\n";
    HttpResponse<String> bulk = server.send("POST", "/bulk", "application/x-ndjson", lines);
    assertThat(bulk.body().lines()).allMatch(line -> line.contains("\"status\":200"));
    assertThat(server.send("GET", "/export", null).body()).isEqualTo(lines);
    assertThat(server.send("GET", "/rate-limits/~alice", null).statusCode()).isEqualTo(200);
    String made = "{\"op\":\"delete\",\"kind\":\"rate-limit\",\"id\":\"~alice\"}\n";
    assertThat(server.send("POST", "/bulk", "application/x-ndjson", made).body())
        .contains("\"status\":409");
    assertThat(
            server
                .send("POST", "/subscribers/alice/gate?waitMillis=0", "{\"gate\":\"closed\"}")
                .statusCode())
        .isEqualTo(200);
    assertThat(server.send("GET", "/rate-limits/~alice", null).body())
        .contains("\"gate\":\"closed\"");
    assertThat(server.send("GET", "/subscribers/alice", null).body())
        .contains("\"overrides\":{\"gate\":\"closed\"}");
  }

  @Test
  void aPageMayEndWithALimitThatATariffMakes() throws Exception {
    rig.accept(TestNetwork.policy("gold", BuiltInFunction.GOLD));
    server.send("PUT", "/tariffs/home?waitMillis=0", HOME);
    server.send("PUT", "/subscribers/alice?waitMillis=0", ALICE);
    server.send("PUT", "/subscribers/bob?waitMillis=0", ALICE.replace("0.1/32", "0.2/32"));
    String page = server.send("GET", "/rate-limits?limit=1&fields=declared", null).body();
    String next = page.replaceAll("(?s).*\"next\":\"([^\"]*)\".*", "$1");
    assertThat(server.send("GET", "/rate-limits?limit=1&cursor=" + next, null).body())
        .contains("\"id\":\"~bob\"");
  }
}
