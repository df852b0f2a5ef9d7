package net.sluice.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.time.Duration;
import net.sluice.core.ControllerException;
import net.sluice.core.testing.ControllerRig;
import net.sluice.rest.testing.MemoryController;
import net.sluice.rest.testing.TestServer;
import org.junit.jupiter.api.Test;

/** Exports and backups over HTTP. */
public class ExportContract {
  private static final String LINES =
      """
      {"op":"put","kind":"policy","id":"gold","value":{"throughputValue":{"builtIn":"gold"}}}
      {"op":"put","kind":"subscriber","id":"alice","value":{"policy":"gold","prefixes":["10.0.0.1/32"],"attachment":{"port":0,"tree":3}}}
      {"op":"put","kind":"subscriber","id":"bob","value":{"policy":"gold","prefixes":["2001:db8::/56"],"attachment":{"port":1,"tree":4}}}
      {"op":"put","kind":"rate-limit","id":"a","value":{"scope":{"subscriber":"bob"},"downBps":50000000}}
      """;

  private static String export(TestServer server) throws Exception {
    HttpResponse<String> answer = server.send("GET", "/export", null);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/x-ndjson");
    return answer.body();
  }

  @Test
  void anExportIsLinesThatBulkTakesAndOfOneStateAlwaysTheSame() throws Exception {
    try (TestServer server = new TestServer(new MemoryController(10))) {
      assertThat(export(server)).isEmpty();
      // In another order of lines and fields, where that may be.
      server.send(
          "POST",
          "/bulk",
          "application/x-ndjson",
          """
          {"op":"put","kind":"policy","id":"gold","value":{"throughputValue":{"builtIn":"gold"}}}
          {"value":{"prefixes":["2001:DB8:0::/56"],"policy":"gold","attachment":{"tree":4,"port":1}},"id":"bob","kind":"subscriber","op":"put"}
          {"op":"put","kind":"rate-limit","id":"a","value":{"downBps":50000000,"scope":{"subscriber":"bob"}}}
          {"op":"put","kind":"subscriber","id":"alice","value":{"policy":"gold","prefixes":["10.0.0.1/32"],"attachment":{"port":0,"tree":3}}}
          """);
      assertThat(export(server)).isEqualTo(LINES).isEqualTo(export(server));
    }
    try (TestServer other = new TestServer(new MemoryController(10))) {
      HttpResponse<String> made = other.send("POST", "/bulk", "application/x-ndjson", LINES);
      assertThat(made.body().lines()).allMatch(line -> line.contains("\"status\":200"));
      assertThat(export(other)).isEqualTo(LINES);
    }
  }

  private static String aqm(String id, int targetMicros) {
    return ("{\"op\":\"put\",\"kind\":\"policy\",\"id\":\"%s\",\"value\":{\"throughputValue\":"
            + "{\"builtIn\":\"gold\"},\"aqm\":{\"kind\":\"codel-act\",\"targetMicros\":%d,"
            + "\"intervalMicros\":100000,\"ecn\":false}}}\n")
        .formatted(id, targetMicros);
  }

  private static String subscriber(String id, int address, String more) {
    return ("{\"op\":\"put\",\"kind\":\"subscriber\",\"id\":\"%s\",\"value\":{\"policy\":\"slow\","
            + "\"prefixes\":[\"10.0.0.%d/32\"],\"attachment\":{\"port\":0,\"tree\":3}%s\n")
        .formatted(id, address, more);
  }

  /** It is night. */
  @Test
  void whatIsOutOfForceIsTakenLineByLineAsItWas() throws Exception {
    String nightly =
        ",\"schedule\":[{\"from\":\"22:00\",\"to\":\"06:00\",\"zone\":\"UTC\",\"policy\":\"fast\"}]}";
    String policies = aqm("fast", 1000) + aqm("slow", 5000);
    String lines =
        policies
            + subscriber("a", 1, nightly + ",\"inForce\":{\"policy\":\"slow\"}}")
            + subscriber("b", 2, "}}");
    String type = "application/x-ndjson";
    try (ControllerRig rig = ControllerRig.settled();
        TestServer server = new TestServer(rig.controller)) {
      server.send("POST", "/bulk", type, policies + subscriber("b", 2, "}}"));
      server.send("POST", "/bulk", type, subscriber("a", 1, nightly + "}"));
      assertThat(export(server)).isEqualTo(lines);
      assertThat(server.send("GET", "/export?declaredOnly=true", null).body())
          .isEqualTo(lines.replace(",\"inForce\":{\"policy\":\"slow\"}", ""));
    }
    try (ControllerRig rig = ControllerRig.settled();
        TestServer server = new TestServer(rig.controller)) {
      for (String line : lines.lines().toList()) {
        assertThat(server.send("POST", "/bulk", type, line).body()).contains("\"status\":200");
        rig.time.settle();
      }
      rig.time.pass(Duration.ofSeconds(15));
      assertThat(export(server)).isEqualTo(lines);
      String refused =
          server
              .send(
                  "POST",
                  "/bulk",
                  type,
                  subscriber("c", 3, nightly + ",\"inForce\":{\"policy\":\"gold\"}}")
                      + subscriber("c", 3, nightly + ",\"inForce\":\"slow\"}")
                      + subscriber("c", 3, "},\"inForce\":{\"policy\":\"slow\"}}"))
              .body();
      String is = "inForce is {\\\"policy\\\":\\\"%s\\\"}; allowed: ";
      String declared = "what the value declares for some time, as answers have it.";
      assertThat(refused.lines())
          .satisfiesExactly(
              one -> assertThat(one).contains("\"status\":422", is.formatted("gold") + declared),
              two -> assertThat(two).contains("\"status\":422", declared),
              three ->
                  assertThat(three)
                      .contains("\"status\":422")
                      .contains(is.formatted("slow") + "absent without schedule and suspended."));
      assertThat(export(server)).isEqualTo(lines);
    }
  }

  @Test
  void anExportThatFailsIsAProblem() throws Exception {
    MemoryController controller = new MemoryController(10);
    try (TestServer server = new TestServer(controller)) {
      controller.failWith(new ControllerException("cannot read the store"));
      HttpResponse<String> answer = server.send("GET", "/export", null);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
      assertThat(answer.body()).contains("cannot read the store");
    }
  }

  @Test
  void aBackupHasItsMediaTypeAndOneThatFailsIsAProblem() throws Exception {
    MemoryController controller = new MemoryController(10);
    try (TestServer server = new TestServer(controller)) {
      HttpResponse<String> backup = server.send("POST", "/backup", null);
      assertThat(backup.statusCode()).as(backup.body()).isEqualTo(200);
      assertThat(backup.headers().firstValue("Content-Type")).contains("application/gzip");
      controller.failWith(new ControllerException("cannot copy the store"));
      HttpResponse<String> answer = server.send("POST", "/backup", null);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
      assertThat(answer.body()).contains("cannot copy the store");
    }
  }
}
