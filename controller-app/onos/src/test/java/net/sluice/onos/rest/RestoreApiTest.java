package net.sluice.onos.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import net.sluice.rest.testing.MemoryController;
import net.sluice.rest.testing.TestServices;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A backup on its way to the instance that restores it. */
class RestoreApiTest {
  /** More than any other request may have. */
  private static final int BYTES = 3 << 20;

  @AfterEach
  void lead() {
    JettyHost.standing = JettyHost.LEADS;
  }

  private static HttpResponse<String> post(URI base, String query, String type) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(base + "/restore" + query))
                .header("Content-Type", type)
                .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[BYTES]))
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLongBackupComesWholeAlsoThroughAFollower(boolean isForwarded) throws Exception {
    JettyHost.standing = isForwarded ? JettyHost.FOLLOWS : JettyHost.LEADS;
    try (JettyHost host = new JettyHost()) {
      host.start(new TestServices(new MemoryController(1)));
      HttpResponse<String> answer = post(host.base(), "?replace=true", "application/gzip");
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      assertThat(answer.body())
          .contains("\"identity\":\"0000000000000001\",\"revisions\":{\"bng1\":" + BYTES + "}")
          .contains("replace true")
          .contains("\\\"path\\\":\\\"/onos/sluice/v1/restore\\\"");
      assertThat(post(host.base(), "", "application/gzip").body()).contains("replace false");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/json", "application/zip"})
  void anotherMediaTypeIsRefused(String type) throws Exception {
    try (JettyHost host = new JettyHost()) {
      host.start(new TestServices(new MemoryController(1)));
      HttpResponse<String> answer = post(host.base(), "", type);
      assertThat(answer.statusCode()).isEqualTo(415);
      assertThat(answer.body()).contains("\"allowed\":\"application/gzip\"");
    }
  }
}
