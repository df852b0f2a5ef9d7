package net.sluice.onos.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import net.sluice.rest.testing.MemoryController;
import net.sluice.rest.testing.TestServer;
import org.junit.jupiter.api.Test;

/** The page of ONOS says what ONOS has as the API does. */
class OnosPageTest {
  @Test
  void theTableOfCapabilitiesIsThatOfTheApi() throws Exception {
    StringBuilder table = new StringBuilder("| capability | in ONOS |\n| --- | --- |\n");
    try (TestServer server = new TestServer(new MemoryController(1))) {
      JsonNode version = new ObjectMapper().readTree(server.send("GET", "/version", null).body());
      version
          .get("capabilities")
          .fields()
          .forEachRemaining(
              each ->
                  table.append(
                      "| `%s` | %s |\n"
                          .formatted(
                              each.getKey(),
                              each.getValue().get("present").booleanValue()
                                  ? "present"
                                  : "absent: " + each.getValue().get("reason").asText())));
    }
    String page = Files.readString(Path.of("..", "..", "docs", "onos.md"));
    assertThat(page.contains("\n" + table + "\n")).as("onos.md has%n%s", table).isTrue();
  }
}
