package net.sluice.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import net.sluice.rest.testing.MemoryController;
import net.sluice.rest.testing.TestServer;
import net.sluice.rest.testing.TestServices;
import net.sluice.rest.testing.Transcript;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Usage over HTTP. */
class UsageContract {
  private static final String A_QUARTER =
      "/usage?from=2026-01-02T02:05:00Z&to=2026-01-02T03:20:00%2B01:00&step=300";

  private final MemoryController controller = new MemoryController(3);
  private TestServer server;

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  @Test
  void usageIsToldBySubscriberTreePortAndPolicy() throws Exception {
    server = new TestServer(TestServices.measuringUsage(controller));
    Transcript transcript = new Transcript(server);
    server.send("PUT", "/policies/gold", "{\"throughputValue\":{\"builtIn\":\"gold\"}}");
    for (int i = 1; i <= 3; i++) {
      server.send(
          "PUT",
          "/subscribers/s" + i,
          "{\"policy\":\"gold\",\"prefixes\":[\"10.0.0."
              + i
              + "/32\"],\"attachment\":{\"port\":0,\"tree\":3}}");
    }
    String time = "/usage?from=2026-01-02T02:05:00Z&to=2026-01-02T02:20:00Z&step=300";
    transcript.json("GET", "/subscribers/s1" + time, null);
    transcript.json("GET", "/policies/gold" + A_QUARTER, null);
    transcript.json("GET", "/trees/switch/0/3" + time, null);
    transcript.json("GET", "/ports/switch/0" + time, null);
    transcript.json("GET", "/subscribers/s1/usage?from=2026-01-02T03:01:00Z", null);
    transcript.json("GET", "/subscribers/nobody/usage", null);
    transcript.json("GET", "/policies/nobody/usage", null);
    transcript.json("GET", "/ports/other/0/usage", null);
    transcript.json("GET", "/ports/switch/8/usage", null);
    transcript.json("GET", "/trees/switch/0/x/usage", null);
    for (String refused :
        new String[] {
          "from=yesterday",
          "to=2026-01-02",
          "step=59",
          "step=fast",
          "from=2026-01-02T04:00:00Z",
          "from=2024-01-02T04:00:00Z",
          "from=2025-12-30T00:00:00Z&step=60",
          "until=2026-01-02T04:00:00Z"
        }) {
      transcript.json("GET", "/subscribers/s1/usage?" + refused, null);
    }
    Golden.check("api-usage.txt", transcript.toString());
  }

  @Test
  void thoseWithMostAndTheCountersOfAllAreTold() throws Exception {
    server = new TestServer(TestServices.measuringUsage(controller));
    Transcript transcript = new Transcript(server);
    server.send("PUT", "/policies/gold", "{\"throughputValue\":{\"builtIn\":\"gold\"}}");
    for (int i = 1; i <= 3; i++) {
      server.send(
          "PUT",
          "/subscribers/s" + i,
          "{\"policy\":\"gold\",\"prefixes\":[\"10.0.0."
              + i
              + "/32\"],\"attachment\":{\"port\":0,\"tree\":3}}");
    }
    transcript.json("GET", "/top", null);
    transcript.json("GET", "/top?by=drops&direction=up&limit=3", null);
    transcript.json("GET", "/top?by=name", null);
    transcript.json("GET", "/top?direction=left", null);
    transcript.json("GET", "/top?limit=0", null);
    transcript.json("GET", "/counters?limit=2", null);
    transcript.json("GET", "/counters?after=s2", null);
    transcript.json("GET", "/counters?after=-", null);
    Golden.check("api-top.txt", transcript.toString());
  }

  @Test
  void whatSubscribersGotOfWhatTheyWereEntitledToIsReported() throws Exception {
    server = new TestServer(TestServices.measuringUsage(controller));
    Transcript transcript = new Transcript(server);
    server.send("PUT", "/policies/gold", "{\"throughputValue\":{\"builtIn\":\"gold\"}}");
    for (int i = 1; i <= 3; i++) {
      server.send(
          "PUT",
          "/subscribers/s" + i,
          "{\"policy\":\"gold\",\"prefixes\":[\"10.0.0."
              + i
              + "/32\"],\"attachment\":{\"port\":0,\"tree\":3}}");
    }
    String time = "from=2026-01-02T02:05:10Z&to=2026-01-02T02:20:00Z";
    transcript.json("GET", "/subscribers/s1/report?" + time, null);
    transcript.json("GET", "/report?limit=2&" + time, null);
    transcript.json("GET", "/report?after=s2&" + time, null);
    transcript.json("GET", "/subscribers/nobody/report", null);
    for (String refused :
        new String[] {
          "from=yesterday",
          "format=xml",
          "after=-",
          "limit=0",
          "step=60",
          "from=2027-01-02T00:00:00Z"
        }) {
      transcript.json("GET", "/report?" + refused, null);
    }
    Golden.check("api-report.txt", transcript.toString());
    var csv = server.send("GET", "/report?format=csv&limit=2&" + time, null);
    assertThat(csv.headers().firstValue("Link").orElseThrow())
        .matches("<\\?.*after=s2.*>; rel=\"next\"");
    Golden.check("api-report.csv", csv.body().replace("\r\n", "\n"));
  }

  @Test
  void whereNothingIsMeasuredThatIsSaid() throws Exception {
    server = new TestServer(controller);
    Transcript transcript = new Transcript(server);
    transcript.json("GET", "/top", null);
    Golden.check("api-no-usage.txt", transcript.toString());
  }
}
