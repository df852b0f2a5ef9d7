package net.sluice.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import net.sluice.rest.testing.MemoryController;
import net.sluice.rest.testing.TestServer;
import org.junit.jupiter.api.Test;

/** Restores where the host has none. */
final class RestoreResourceTest {
  @Test
  void aHostThatDoesNotRestoreSaysWhy() throws Exception {
    try (TestServer server = new TestServer(new MemoryController(10))) {
      HttpResponse<String> answer = server.send("POST", "/restore", "application/gzip", "x");
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(409);
      assertThat(answer.body())
          .contains("This controller has no restore: its store is not restored.");
      assertThat(server.send("GET", "/audit", null).body())
          .contains("\"path\":\"" + server.base().getPath() + "/restore\"")
          .contains("\"outcome\":\"refused\",\"status\":409");
    }
  }
}
