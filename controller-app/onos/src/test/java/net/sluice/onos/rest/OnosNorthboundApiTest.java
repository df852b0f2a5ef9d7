package net.sluice.onos.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import net.sluice.rest.NorthboundApiTest;
import net.sluice.rest.testing.MemoryController;
import net.sluice.rest.testing.TestServer;
import org.junit.jupiter.api.Test;

/** Events, webhooks, keys and the audit log in ONOS's web container. */
class OnosNorthboundApiTest extends NorthboundApiTest {
  @Test
  void thePageOfLimitationsHasWhatOnosLacks() throws Exception {
    String page =
        Files.readString(Path.of("..", "..", "docs", "limitations.md")).replaceAll("\\s+", " ");
    try (TestServer server = new TestServer(new MemoryController(1))) {
      JsonNode capabilities =
          new ObjectMapper()
              .readTree(server.send("GET", "/version", null).body())
              .get("capabilities");
      assertThat(capabilities).isNotEmpty();
      capabilities
          .fields()
          .forEachRemaining(
              each -> {
                String named =
                    "`%s` (%s)".formatted(each.getKey(), each.getValue().path("reason").asText());
                if (!each.getValue().get("present").booleanValue()) {
                  assertThat(page).contains(named);
                }
              });
    }
  }
}
