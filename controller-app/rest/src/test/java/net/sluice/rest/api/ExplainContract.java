package net.sluice.rest.api;

import net.sluice.rest.testing.MemoryController;
import net.sluice.rest.testing.TestServer;
import net.sluice.rest.testing.Transcript;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What limits a subscriber, over HTTP, before anything has been measured. */
class ExplainContract {
  private static final String SUBSCRIBER =
      "{\"policy\":\"gold\",\"prefixes\":[\"10.0.0.1/32\"],\"attachment\":{\"port\":0,\"tree\":3}%s}";

  private final TestServer server = new TestServer(new MemoryController(3));
  private final Transcript transcript = new Transcript(server);

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  @Test
  void whatIsDeclaredIsExplainedThoughNothingIsMeasured() throws Exception {
    transcript.json("PUT", "/policies/gold", "{\"throughputValue\":{\"builtIn\":\"gold\"}}");
    transcript.json("PUT", "/subscribers/alice", SUBSCRIBER.formatted(""));
    transcript.json(
        "PUT",
        "/rate-limits/alice-50",
        "{\"scope\":{\"subscriber\":\"alice\"},\"downBps\":50000000}");
    transcript.json(
        "PUT", "/rate-limits/tree-3", "{\"scope\":{\"port\":0,\"tree\":3},\"downBps\":20000000}");
    transcript.json("GET", "/subscribers/alice/explain", null);
    transcript.json("GET", "/subscribers/alice/chain", null);
    transcript.json("PUT", "/subscribers/alice", SUBSCRIBER.formatted(",\"suspended\":true"));
    transcript.json("GET", "/subscribers/alice/explain?at=2026-01-02T03:04:05Z", null);
    transcript.json("GET", "/subscribers/alice/explain?at=yesterday", null);
    transcript.json("GET", "/subscribers/alice/chain?at=2026-01-02T03:04:05Z", null);
    transcript.json("GET", "/subscribers/nobody/explain", null);
    transcript.json("GET", "/subscribers/nobody/chain", null);
    transcript.json("GET", "/switches/switch/ports/x/shares", null);
    transcript.json("GET", "/switches/other/ports/1/shares", null);
    transcript.json("GET", "/switches/switch/ports/1/shares", null);
    Golden.check("api-explain.txt", transcript.toString());
  }
}
