package net.sluice.onos.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.servlet.ServletInputStream;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import net.sluice.intents.model.Kind;
import net.sluice.northbound.caller.Caller;
import net.sluice.onos.SluiceService;
import net.sluice.onos.cluster.ClusterMember.Role;
import net.sluice.onos.cluster.ClusterMember.Standing;
import net.sluice.rest.testing.MemoryController;
import net.sluice.testing.Http;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onosproject.cluster.NodeId;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;

/** ONOS's login, and requests at instances that do not lead. */
class SluiceServletTest {
  private static final String GOLD = "{\"throughputValue\":{\"builtIn\":\"gold\"}}";
  private final MemoryController controller = new MemoryController(10);
  private final JettyHost host = new JettyHost(true);

  @AfterEach
  void stop() throws Exception {
    host.close();
  }

  private HttpResponse<String> send(String method, URI uri, String user, String... headers)
      throws Exception {
    List<String> all = new ArrayList<>(List.of(headers));
    all.addAll(
        List.of(
            "Content-Type", method.equals("POST") ? "application/x-ndjson" : "application/json"));
    if (user != null) {
      all.addAll(List.of("Authorization", Http.basic(user)));
    }
    String body = method.equals("PUT") || method.equals("POST") ? GOLD : null;
    return Http.send(method, uri, body, all.toArray(String[]::new));
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
      host.start(JettyHost.service(controller, JettyHost.LEADS));
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
    host.start(JettyHost.service(controller, JettyHost.LEADS));
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
    host.start(JettyHost.service(controller, JettyHost.FOLLOWS));
    URI gold = URI.create(host.base() + "/policies/gold?waitMillis=0");
    HttpResponse<String> created = send("PUT", gold, "onos:rocks");
    assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
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
    HttpResponse<String> refused = send("PUT", gold, "guest:guest");
    assertThat(refused.statusCode()).as("who may what is decided here").isEqualTo(403);
    HttpResponse<String> bulk =
        send("POST", URI.create(host.base() + "/bulk?dryRun=true"), "onos:rocks");
    assertThat(bulk.statusCode()).isEqualTo(200);
    assertThat(bulk.body()).startsWith("{\"line\":1,\"status\":4");
  }

  @Test
  void aLeaderThatCannotBeReachedIsNamed() throws Exception {
    host.start(
        JettyHost.service(
            null,
            new Standing(
                Role.FOLLOWER,
                Optional.of(NodeId.nodeId("10.0.0.7")),
                Instant.EPOCH,
                Optional.empty(),
                Optional.empty())));
    HttpResponse<String> answer = send("GET", URI.create(host.base() + "/status"), "guest:guest");
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body())
        .contains("Instance 10.0.0.7 of the cluster leads, and cannot be asked: no handler of")
        .contains("try again");
  }

  /** The leader may be frozen: its followers learn that when it stops leading. */
  @Test
  void aLeaderThatDoesNotAnswerIsWaitedForLongerByAChangeThanByReading() throws Exception {
    for (String method : List.of("GET", "HEAD", "PUT", "DELETE", "POST")) {
      ClusterCommunicationService cluster = mock(ClusterCommunicationService.class);
      when(cluster.sendAndReceive(any(), any(), any(), any(), any(), any()))
          .thenReturn(new CompletableFuture<>());
      HttpServletRequest from = mock(HttpServletRequest.class);
      when(from.getMethod()).thenReturn(method);
      when(from.getRequestURI()).thenReturn("/onos/sluice/v1/status");
      when(from.getRequestURL()).thenReturn(new StringBuffer("http://h/onos/sluice/v1/status"));
      when(from.getContextPath()).thenReturn("/onos/sluice");
      when(from.getServletPath()).thenReturn("/v1");
      when(from.getHeaderNames()).thenReturn(Collections.emptyEnumeration());
      when(from.getAttribute(Caller.ATTRIBUTE))
          .thenReturn(new Caller("onos", net.sluice.northbound.caller.Role.ADMIN, "h"));
      when(from.getAttribute(Caller.REQUEST_ID)).thenReturn("r");
      ServletInputStream none = mock(ServletInputStream.class);
      when(none.readNBytes(anyInt())).thenReturn(new byte[0]);
      when(from.getInputStream()).thenReturn(none);
      CompletableFuture<Void> unused =
          new ForwardedRequest(
                  cluster, JettyHost.LEADER, from, mock(HttpServletResponse.class), Runnable::run)
              .send(Runnable::run);
      verify(cluster)
          .sendAndReceive(
              any(),
              any(),
              any(),
              any(),
              any(),
              eq(Duration.ofSeconds(method.equals("GET") || method.equals("HEAD") ? 4 : 20)));
    }
  }

  @Test
  void thePageIsForEverybodyAndSignsInAsOnosDoes() throws Exception {
    host.start(JettyHost.service(controller, JettyHost.LEADS));
    URI page = URI.create(host.base() + "/../").normalize();
    HttpResponse<String> document = send("GET", page, null);
    assertThat(document.statusCode()).isEqualTo(200);
    assertThat(document.body())
        .contains("name=\"sluice-api\" content=\"v1/\"", "name=\"sluice-login\" content=\"Basic\"");
    assertThat(send("GET", page.resolve("page/app.js"), null).statusCode()).isEqualTo(200);
    assertThat(send("GET", page.resolve("page/none.js"), null).statusCode()).isEqualTo(404);
  }

  @Test
  void aUserOfNoGroupAndAPathOfNoResourceAreRefused() throws Exception {
    host.start(JettyHost.service(controller, JettyHost.LEADS));
    HttpResponse<String> stranger =
        send("GET", URI.create(host.base() + "/status"), "stranger:danger");
    assertThat(stranger.statusCode()).isEqualTo(403);
    assertThat(stranger.body())
        .contains("stranger is in no group of Sluice's; allowed: admin, manager or viewer.");
    URI web = URI.create(host.base() + "/../WEB-INF/web.xml").normalize();
    URI file = URI.create(host.base() + "/../favicon.ico").normalize();
    assertThat(send("GET", file, null).statusCode()).isEqualTo(404);
    assertThat(send("GET", web, "guest:guest").statusCode()).isEqualTo(404);
  }

  /** A client that goes away in the midst of a bulk request leaves nothing behind. */
  @Test
  void aBodyThatIsCutOffIsNotTakenForAWholeOne() throws Exception {
    host.start(JettyHost.service(controller, JettyHost.FOLLOWS));
    String credentials =
        Base64.getEncoder().encodeToString("onos:rocks".getBytes(StandardCharsets.US_ASCII));
    String put = "{\"op\":\"put\",\"kind\":\"policy\",\"id\":\"%s\",\"value\":" + GOLD + "}";
    try (Socket socket = new Socket("127.0.0.1", host.port())) {
      socket
          .getOutputStream()
          .write(
              ("POST /onos/sluice/v1/bulk HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic "
                      + credentials
                      + "\r\nContent-Type: application/x-ndjson\r\nContent-Length: 1000000\r\n\r\n"
                      + put.formatted("whole")
                      + "\n"
                      + put.formatted("cut"))
                  .getBytes(StandardCharsets.US_ASCII));
      byte[] head = socket.getInputStream().readNBytes(12);
      assertThat(new String(head, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200");
    }
    URI whole = URI.create(host.base() + "/policies/whole");
    URI cut = URI.create(host.base() + "/policies/cut");
    assertThat(send("GET", whole, "guest:guest").statusCode()).isEqualTo(200);
    assertThat(send("GET", cut, "guest:guest").statusCode()).isEqualTo(404);
  }
}
