package net.sluice.onos.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import net.sluice.intents.model.Kind;
import net.sluice.onos.SluiceService;
import net.sluice.onos.cluster.ClusterMember.Role;
import net.sluice.onos.cluster.ClusterMember.Standing;
import net.sluice.onos.testing.ForwardingService;
import net.sluice.rest.testing.MemoryController;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** ONOS's login, and requests at instances that do not lead. */
class LeaderFilterTest {
  private static final String GOLD = "{\"throughputValue\":{\"builtIn\":\"gold\"}}";
  private static final Standing LEADS =
      new Standing(
          Role.LEADER,
          Optional.of(JettyHost.SELF),
          Instant.EPOCH,
          Optional.empty(),
          Optional.empty());
  private static final Standing FOLLOWS =
      new Standing(
          Role.FOLLOWER,
          Optional.of(JettyHost.LEADER),
          Instant.EPOCH,
          Optional.empty(),
          Optional.empty());

  private final MemoryController controller = new MemoryController(10);
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final JettyHost host = new JettyHost(true);

  @AfterEach
  void stop() throws Exception {
    host.close();
  }

  private HttpResponse<String> send(String method, URI uri, String user, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .method(
                method,
                method.equals("PUT") || method.equals("POST")
                    ? HttpRequest.BodyPublishers.ofString(GOLD)
                    : HttpRequest.BodyPublishers.noBody())
            .header(
                "Content-Type",
                method.equals("POST") ? "application/x-ndjson" : "application/json");
    if (user != null) {
      byte[] bytes = user.getBytes(StandardCharsets.US_ASCII);
      request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(bytes));
    }
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /** Five of them were warnings of each start. */
  @Test
  void theWebApplicationStartsWithoutAWarning() throws Exception {
    List<LogRecord> warned = new CopyOnWriteArrayList<>();
    Handler collecting =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            if (record.getLevel().intValue() >= Level.WARNING.intValue()) {
              warned.add(record);
            }
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger jersey = Logger.getLogger("org.glassfish.jersey");
    jersey.addHandler(collecting);
    try {
      host.start(JettyHost.service(controller, LEADS, 0));
      for (String resource : List.of("policies", "subscribers", "rate-limits", "status")) {
        URI uri = URI.create(host.base() + "/" + resource);
        assertThat(send("GET", uri, "guest:guest").statusCode()).as(resource).isEqualTo(200);
      }
    } finally {
      jersey.removeHandler(collecting);
    }
    assertThat(warned).extracting(LogRecord::getMessage).isEmpty();
  }

  @Test
  void changesTakeAnAdministratorAndReadingAViewer() throws Exception {
    host.start(JettyHost.service(controller, LEADS, 0));
    URI gold = URI.create(host.base() + "/policies/gold");
    assertThat(send("PUT", gold, null).statusCode()).isEqualTo(401);
    assertThat(send("PUT", gold, "onos:wrong").statusCode()).isEqualTo(401);
    assertThat(send("PUT", gold, "guest:guest").statusCode()).isEqualTo(403);
    assertThat(send("GET", gold, "guest:guest").statusCode()).isEqualTo(404);
    assertThat(send("PUT", gold, "onos:rocks").statusCode()).isEqualTo(201);
    assertThat(send("GET", gold, "guest:guest").statusCode()).isEqualTo(200);
    assertThat(send("DELETE", gold, "guest:guest").statusCode()).isEqualTo(403);
  }

  @Test
  void withoutAnActiveComponentEveryRequestIsToldSo() throws Exception {
    host.start((SluiceService) null);
    HttpResponse<String> answer = send("GET", URI.create(host.base() + "/status"), "guest:guest");
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(answer.body()).contains("Sluice is not active: a service it needs is missing");
  }

  @Test
  void followersHandRequestsToTheLeaderAndItsAnswersBack() throws Exception {
    // One web application plays both: forwarded requests are the leader's.
    host.start(new ForwardingService(() -> JettyHost.service(controller, FOLLOWS, host.port())));
    URI gold = URI.create(host.base() + "/policies/gold?waitMillis=0");
    HttpResponse<String> created = send("PUT", gold, "onos:rocks");
    assertThat(created.statusCode()).isEqualTo(201);
    assertThat(created.body()).contains("\"id\":\"gold\"");
    assertThat(controller.find(Kind.POLICY, "gold")).isPresent();
    HttpResponse<String> read =
        send("GET", URI.create(host.base() + "/policies/gold"), "guest:guest");
    assertThat(read.statusCode()).isEqualTo(200);
    assertThat(read.headers().firstValue("Content-Type")).contains("application/json");
    HttpResponse<String> missing =
        send("GET", URI.create(host.base() + "/policies/none"), "guest:guest");
    assertThat(missing.statusCode()).isEqualTo(404);
    assertThat(missing.headers().firstValue("Content-Type")).contains("application/problem+json");
    HttpResponse<String> bulk =
        send("POST", URI.create(host.base() + "/bulk?dryRun=true"), "onos:rocks");
    assertThat(bulk.statusCode()).isEqualTo(307);
    assertThat(bulk.headers().firstValue("Location")).contains(host.base() + "/bulk?dryRun=true");
  }

  @Test
  void theLeaderIsFoundWhateverTheLocalesDigits() throws Exception {
    Locale before = Locale.getDefault(Locale.Category.FORMAT);
    Locale.setDefault(Locale.Category.FORMAT, Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try {
      host.start(new ForwardingService(() -> JettyHost.service(controller, FOLLOWS, host.port())));
      URI status = URI.create(host.base() + "/status");
      assertThat(send("GET", status, "guest:guest").statusCode()).isEqualTo(200);
    } finally {
      Locale.setDefault(Locale.Category.FORMAT, before);
    }
  }

  @Test
  void aLeaderThatCannotBeReachedIsNamed() throws Exception {
    host.start(JettyHost.service(null, FOLLOWS, 1));
    HttpResponse<String> answer = send("GET", URI.create(host.base() + "/status"), "guest:guest");
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body())
        .contains("Instance leader of the cluster leads, and cannot be reached at 127.0.0.1:1")
        .contains("try again");
  }
}
