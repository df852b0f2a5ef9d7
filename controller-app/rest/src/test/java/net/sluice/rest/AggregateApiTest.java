package net.sluice.rest;

import net.sluice.rest.testing.MemoryController;
import net.sluice.rest.testing.TestServer;
import net.sluice.rest.testing.Transcript;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contracts of aggregates, over HTTP. */
class AggregateApiTest {
  private final MemoryController controller = new MemoryController(3);
  private final TestServer server = new TestServer(controller);
  private final Transcript transcript = new Transcript(server);

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private void dryRun(String aggregate) throws Exception {
    transcript.json("PUT", "/subscribers/acme?dryRun=true", body(aggregate));
  }

  private static String body(String aggregate) {
    return "{\"policy\":\"gold\",\"prefixes\":[\"10.0.0.1/32\"],\"attachment\":{\"port\":0,"
        + "\"tree\":3},\"aggregate\":"
        + aggregate
        + "}";
  }

  @Test
  void dryRunsTellTheEntriesOfContracts() throws Exception {
    server.send("PUT", "/policies/gold", "{\"throughputValue\":{\"builtIn\":\"gold\"}}");
    dryRun("{\"up\":{\"cirBps\":1000000,\"marker\":\"token-bucket\"}}");
    dryRun("{\"down\":{\"cirBps\":1000000,\"marker\":\"tsw2cm\"}}");
    String fsam =
        "{\"up\":{\"cirBps\":1000000,\"marker\":\"f-sam\",\"weights\":[{\"dscp\":46,\"weight\":4}],"
            + "\"inDscp\":1,\"outDscp\":2}}";
    server.send("PUT", "/subscribers/acme", body(fsam));
    dryRun("{\"up\":{\"cirBps\":1000000,\"marker\":\"pam\"}}");
    transcript.json("DELETE", "/subscribers/acme?dryRun=true", null);
    Golden.check("api-contracts.txt", transcript.toString());
  }
}
