package net.sluice.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import net.sluice.rest.testing.MemoryController;
import net.sluice.rest.testing.TestServer;
import net.sluice.rest.testing.Transcript;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Limits by each limiter, contracts of aggregates and classes, on every host alike. */
public class LimitersContract {
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

  private static String line(String policy, int number) {
    return ("{\"policy\":\"" + policy + "\",\"prefixes\":[\"10.0.1." + number + "/32\"],")
        + ("\"attachment\":{\"port\":0,\"tree\":" + number + "}}");
  }

  @Test
  void aNetworkHasLimitsOfEveryKindContractsAndClasses() throws Exception {
    try (TestServer all = new TestServer(MemoryController.withAllLimiters())) {
      Transcript said = new Transcript(all);
      all.send("PUT", "/policies/gold", "{\"throughputValue\":{\"builtIn\":\"gold\"}}");
      said.json(
          "PUT",
          "/policies/triple",
          "{\"throughputValue\":{\"builtIn\":\"gold\"},\"classes\":[{\"name\":\"voice\","
              + "\"dscp\":[46],\"priority\":1},{\"name\":\"rest\",\"share\":1}]}");
      int number = 1;
      for (String limiter : new String[] {"fpga", "shape", "police"}) {
        all.send("PUT", "/subscribers/" + limiter, line("gold", number++));
        JsonNode put =
            said.json(
                "PUT",
                "/rate-limits/" + limiter,
                "{\"scope\":{\"subscriber\":\""
                    + limiter
                    + "\"},\"downBps\":20000000,\"enforcement\":\""
                    + limiter
                    + "\"}");
        assertThat(put.at("/granted/downLimiter").asText()).isEqualTo(limiter);
      }
      all.send("PUT", "/subscribers/classes", line("triple", number));
      JsonNode limited =
          said.json(
              "PUT",
              "/rate-limits/classes",
              "{\"scope\":{\"subscriber\":\"classes\"},\"downBps\":20000000}");
      assertThat(limited.at("/granted/downLimiter").asText()).isEqualTo("fpga");
      String contract = "{\"up\":{\"cirBps\":1000000,\"marker\":\"f-sam\"}}";
      said.json("PUT", "/subscribers/acme", body(contract));
      said.json("GET", "/subscribers/acme/counters", null);
      Golden.check("api-limiters.txt", said.toString());
    }
  }
}
