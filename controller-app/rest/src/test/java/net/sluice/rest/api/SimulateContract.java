package net.sluice.rest.api;

import net.sluice.rest.bulk.ChangeLines;
import net.sluice.rest.testing.MemoryController;
import net.sluice.rest.testing.TestServer;
import net.sluice.rest.testing.TestServices;
import net.sluice.rest.testing.Transcript;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What changes would come to, over HTTP. */
class SimulateContract {
  private static final String LINES =
      """
      {"op":"delete","kind":"subscriber","id":"alice"}
      {"op":"delete","kind":"subscriber","id":"nobody"}
      {"op":"delete"}
      {"load":{"subscriber":"bob","downBps":30000000,"upBps":1000000}}
      """;

  private TestServer server;

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  @Test
  void whoWouldGetWhatIsToldAndNothingIsChanged() throws Exception {
    MemoryController controller = new MemoryController(3);
    server = new TestServer(TestServices.measuringUsage(controller));
    Transcript transcript = new Transcript(server);
    server.send("PUT", "/policies/gold", "{\"throughputValue\":{\"builtIn\":\"gold\"}}");
    int number = 0;
    for (String id : new String[] {"alice", "bob"}) {
      number++;
      server.send(
          "PUT",
          "/subscribers/" + id,
          "{\"policy\":\"gold\",\"prefixes\":[\"10.0.0."
              + number
              + "/32\"],\"attachment\":{\"port\":0,\"tree\":3}}");
    }
    server.send(
        "PUT", "/rate-limits/bob-20", "{\"scope\":{\"subscriber\":\"bob\"},\"downBps\":20000000}");
    simulate(transcript, "?losesPercent=20", LINES);
    simulate(transcript, "?load=given&limit=1", LINES);
    simulate(transcript, "?load=guessed&losesPercent=101", LINES);
    simulate(transcript, "", "{\"load\":{\"subscriber\":\"bob\",\"downBps\":-1,\"down\":2}}\n");
    transcript.json("GET", "/subscribers/alice", null);
    Golden.check("api-simulate.txt", transcript.toString());
  }

  private static void simulate(Transcript transcript, String query, String lines) throws Exception {
    transcript.send("POST", "/simulate" + query, ChangeLines.MEDIA_TYPE, lines);
  }
}
