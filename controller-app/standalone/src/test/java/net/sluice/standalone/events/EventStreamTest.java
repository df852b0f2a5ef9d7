package net.sluice.standalone.events;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import net.sluice.cli.StartFailure;
import net.sluice.core.ControllerEvent;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.TargetState;
import net.sluice.core.store.InMemoryNetworkStore;
import net.sluice.intents.model.Kind;
import net.sluice.northbound.events.ControllerEvents;
import net.sluice.rest.host.AllowedCallers;
import net.sluice.rest.host.Callers;
import net.sluice.rest.testing.TellingController;
import net.sluice.standalone.http.HttpLimits;
import net.sluice.standalone.http.HttpSettings;
import net.sluice.standalone.http.ServedApi;
import net.sluice.standalone.http.TestTokens;
import net.sluice.standalone.network.WebhookOptions;
import net.sluice.testing.Http;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The events over real connections, and over the end of the process. */
final class EventStreamTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @TempDir Path directory;
  private final TellingController controller = new TellingController();
  private final List<Client> clients = new ArrayList<>();
  private InMemoryNetworkStore store = new InMemoryNetworkStore(Clock.systemUTC());
  private Callers authentication = Callers.ANYBODY;
  private ServedApi server;

  private void start() throws StartFailure {
    start(HttpLimits.DEFAULT);
  }

  private void start(HttpLimits limits) throws StartFailure {
    controller.recordIn(store);
    server =
        new ServedApi(
            controller,
            store,
            new HttpSettings(
                ANY,
                Optional.empty(),
                limits,
                AllowedCallers.of(ANY),
                Optional.empty(),
                authentication,
                HttpSettings.AUDIT_BYTES,
                Set.of(),
                false,
                WebhookOptions.byDefault(),
                Optional.empty()));
  }

  private ControllerEvents events() {
    return server.northbound().events();
  }

  @AfterEach
  void stop() throws IOException {
    for (Client client : clients) {
      client.socket.close();
    }
    clients.clear();
    if (server != null) {
      server.close();
    }
    server = null;
  }

  /** The process ends without a word: another one finds what it has written by now. */
  private void kill() throws IOException {
    InMemoryNetworkStore left = store.copy();
    stop();
    store = left;
  }

  /** A client that follows. */
  private final class Client {
    private final Socket socket;
    private final BufferedReader reader;
    private String lastId;

    Client(String query, String seen, int window) throws IOException {
      socket = new Socket();
      if (window > 0) {
        socket.setReceiveBufferSize(window);
      }
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
      clients.add(this);
      String head =
          "GET /sluice/v1/events%s HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer portal\r\nAccept: text/event-stream\r\n%s\r\n"
              .formatted(query, seen == null ? "" : "Last-Event-ID: " + seen + "\r\n");
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      reader =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Waits until the answer has begun; what is told from then on comes. */
    Client begun() throws IOException {
      String line = reader.readLine();
      assertThat(line).isEqualTo("HTTP/1.1 200 OK");
      while (!"retry: 2000".equals(line)) {
        line = reader.readLine();
      }
      return this;
    }

    JsonNode next() throws IOException {
      String line = reader.readLine();
      while (line != null && !line.startsWith("data: ")) {
        if (line.startsWith("id: ")) {
          lastId = line.substring(4);
        }
        line = reader.readLine();
      }
      return line == null ? null : MAPPER.readTree(line.substring(6));
    }

    List<String> next(int count) throws IOException {
      List<String> next = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        JsonNode event = next();
        next.add(
            event.get("type").asText().replace("net.sluice.", "")
                + " "
                + event.get("subject").asText());
      }
      return next;
    }

    /** True if the server ends the connection without another event. */
    boolean isEnded() throws IOException {
      try {
        return next() == null;
      } catch (SocketException | JsonProcessingException e) {
        // In the midst of an event.
        return true;
      }
    }
  }

  private Client follow(String query, String seen) throws IOException {
    return new Client(query, seen, 0).begun();
  }

  private static ControllerEvent installed(String id) {
    return new ControllerEvent.StatusChanged(
        Kind.SUBSCRIBER, id, "switch", TargetState.INSTALLED, Optional.empty());
  }

  @Test
  void whoMayNotFollowAnyMoreIsToldSoAtTheNextBeatAndNothingElse() throws Exception {
    TestTokens tokens = new TestTokens(Files.createDirectory(directory.resolve("callers")));
    tokens.set("portal", "admin", "other", "read");
    authentication = tokens.authentication();
    start();
    Client client = follow("", null);
    controller.tell(installed("alice"));
    assertThat(client.next(1)).containsExactly("declaration.installed subscribers/alice");
    // Another role is enough to follow.
    tokens.set("portal", "read", "other", "read");
    events().beat();
    controller.tell(installed("bob"));
    assertThat(client.next(1)).containsExactly("declaration.installed subscribers/bob");
    tokens.set("other", "read");
    events().beat();
    controller.tell(installed("carol"));
    assertThat(client.next().get("reason").asText())
        .isEqualTo("the proof of who asks, portal, holds no more");
    assertThat(client.isEnded()).isTrue();
  }

  @Test
  void eachEventIsACloudEventWithANumber() throws Exception {
    start();
    Client client = follow("", null);
    controller.tell(installed("alice"), installed("bob"));
    JsonNode alice = client.next();
    assertThat(alice.get("specversion").asText()).isEqualTo("1.0");
    assertThat(alice.get("id").asText()).isEqualTo(client.lastId).matches("[0-9a-f]{8}-[0-9]+");
    assertThat(alice.get("source").asText()).isEqualTo("/sluice/v1");
    assertThat(alice.get("type").asText()).isEqualTo("net.sluice.declaration.installed");
    assertThat(alice.get("subject").asText()).isEqualTo("subscribers/alice");
    assertThat(alice.at("/data/target").asText()).isEqualTo("switch");
    assertThat(alice.get("time").asText()).matches("20[0-9]{2}-.*Z");
    long number = alice.get("sequence").asLong();
    JsonNode bob = client.next();
    assertThat(bob.get("subject").asText()).isEqualTo("subscribers/bob");
    assertThat(bob.get("sequence").asLong()).isEqualTo(number + 1);
  }

  @Test
  void whoComesBackAfterARestartMissesNothing() throws Exception {
    start();
    Client client = follow("", null);
    controller.tellOfDeleted("a", "b", "c");
    assertThat(client.next(2))
        .containsExactly("declaration.deleted subscribers/a", "declaration.deleted subscribers/b");
    stop();
    start();
    controller.tellOfDeleted("d");
    Client again = follow("", client.lastId);
    assertThat(again.next(1)).containsExactly("declaration.deleted subscribers/c");
    JsonNode started = again.next();
    assertThat(started.get("type").asText()).isEqualTo("net.sluice.controller.started");
    assertThat(started.at("/data/clean").asBoolean()).isTrue();
    List<String> rest = again.next(1 + controller.summary().targets().size());
    assertThat(rest.get(rest.size() - 1)).isEqualTo("declaration.deleted subscribers/d");
    assertThat(rest.subList(0, rest.size() - 1))
        .allMatch(each -> each.startsWith("target.session"));
  }

  @Test
  void aDeathOfTheProcessIsAGapThatIsTold() throws Exception {
    start();
    Client client = follow("", null);
    controller.tellOfDeleted("a", "b");
    client.next(1);
    kill();
    start();
    Client again = follow("", client.lastId);
    assertThat(again.next(3))
        .containsExactly(
            "declaration.deleted subscribers/b",
            "controller.started controller",
            "events.gap events");
  }

  @Test
  void whoComesBackTooLateIsToldOfTheGap() throws Exception {
    start();
    Client client = follow("", null);
    controller.tellOfDeleted("a");
    client.next(1);
    for (int i = 0; i < 200; i++) {
      controller.tellOfDeleted("s" + i);
    }
    store.journal("events").trim(8000, Instant.EPOCH);
    Client again = follow("", client.lastId);
    JsonNode gap = again.next();
    assertThat(gap.get("type").asText()).isEqualTo("net.sluice.events.gap");
    assertThat(gap.at("/data/reason").asText()).isEqualTo("events are not kept so long");
    JsonNode next = again.next();
    assertThat(next.get("subject").asText()).startsWith("subscribers/s");
    assertThat(gap.get("sequence").asText())
        .isEqualTo("%019d".formatted(next.get("sequence").asLong() - 1));
    Client other = follow("", "00000000-5");
    assertThat(other.next().at("/data/reason").asText())
        .isEqualTo("the events are those of another log by now");
  }

  @Test
  void onlyWhatIsWantedIsSent() throws Exception {
    start();
    Client client =
        follow(
            "?type=net.sluice.declaration.installed,net.sluice.target&subject=subscribers/a", null);
    Client targets = follow("?type=net.sluice.target", null);
    controller.tell(installed("bob"), installed("alice"));
    controller.tellOfDeleted("alice");
    controller.tell(
        new ControllerEvent.SessionChanged("switch", SessionState.READY, Optional.empty()),
        installed("adam"));
    assertThat(client.next(2))
        .containsExactly(
            "declaration.installed subscribers/alice", "declaration.installed subscribers/adam");
    assertThat(targets.next(1)).containsExactly("target.session targets/switch");
  }

  @Test
  void badParametersAreRefused() throws Exception {
    start();
    assertThat(Http.send("GET", server.base() + "/events?sinse=3", null).statusCode())
        .isEqualTo(400);
    assertThat(Http.send("GET", server.base() + "/events", null, "Last-Event-ID", "x").body())
        .contains("Last-Event-ID is \\\"x\\\"; allowed: the id of an event, or 0");
    assertThat(
            Http.send("GET", server.base() + "/events", null, "Accept", "text/html").statusCode())
        .isEqualTo(406);
    assertThat(Http.send("HEAD", server.base() + "/events", null).statusCode()).isEqualTo(200);
  }

  /** A client that takes nothing is cut off, and no other waits for it meanwhile. */
  @Test
  void aClientThatTakesNothingIsCutOffAndKeepsNoOtherWaiting() throws Exception {
    start(new HttpLimits(64, Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(1)));
    Client slow = new Client("", null, 1024).begun();
    Client quick = follow("", null);
    String[] ids = IntStream.range(0, 500).mapToObj(i -> "subscriber-" + i).toArray(String[]::new);
    int rounds = 40;
    for (int i = 0; i < rounds; i++) {
      controller.tellOfDeleted(ids);
      quick.next(ids.length);
    }
    Patience.await("one is left", events()::listeners, left -> left == 1);
    int taken = 0;
    while (!slow.isEnded()) {
      taken++;
    }
    assertThat(taken).isLessThan(rounds * ids.length);
    controller.tellOfDeleted("z");
    assertThat(quick.next(1)).containsExactly("declaration.deleted subscribers/z");
  }

  @Test
  void aThousandFollowAndOneMoreIsRefused() throws Exception {
    int many = 1000;
    start(
        new HttpLimits(
            1337, Duration.ofSeconds(30), Duration.ofSeconds(60), Duration.ofSeconds(1)));
    List<Client> all = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      all.add(follow("", null));
    }
    controller.tellOfDeleted("a");
    controller.tellOfDeleted("b", "c");
    for (Client each : all) {
      assertThat(each.next(3))
          .containsExactly(
              "declaration.deleted subscribers/a",
              "declaration.deleted subscribers/b",
              "declaration.deleted subscribers/c");
    }
    follow("", null);
    follow("", null);
    assertThat(Http.send("GET", server.base() + "/events", null).statusCode()).isEqualTo(503);
    assertThat(Http.send("GET", server.base() + "/policies", null).statusCode()).isEqualTo(200);
  }

  @Test
  void theEndOfTheServerEndsTheAnswers() throws Exception {
    start();
    Client client = follow("", null);
    events().endAnswers();
    assertThat(client.isEnded()).isTrue();
  }
}
