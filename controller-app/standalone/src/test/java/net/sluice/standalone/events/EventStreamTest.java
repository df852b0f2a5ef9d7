package net.sluice.standalone.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import net.sluice.cli.StartFailure;
import net.sluice.core.ControllerEvent;
import net.sluice.core.TargetState;
import net.sluice.core.store.InMemoryNetworkStore;
import net.sluice.intents.model.Kind;
import net.sluice.northbound.events.ControllerEvents;
import net.sluice.rest.host.AllowedCallers;
import net.sluice.rest.host.Callers;
import net.sluice.rest.testing.EventClient;
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

/** The events under serve's tokens and limits of connections; EventsContract has the rest. */
final class EventStreamTest {
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @TempDir Path directory;
  private final TellingController controller = new TellingController();
  private final List<EventClient> clients = new ArrayList<>();
  private final InMemoryNetworkStore store = new InMemoryNetworkStore(Clock.systemUTC());
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
    for (EventClient client : clients) {
      client.close();
    }
    clients.clear();
    if (server != null) {
      server.close();
    }
    server = null;
  }

  private EventClient follow(String query, String seen) throws IOException {
    return follow(query, seen, 0);
  }

  private EventClient follow(String query, String seen, int window) throws IOException {
    URI base = URI.create("http://localhost:" + server.port() + "/sluice/v1");
    EventClient client = new EventClient(base, query, seen, window, "Authorization: Bearer portal");
    clients.add(client);
    return client.begun();
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
    EventClient client = follow("", null);
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

  /** A client that takes nothing is cut off, and no other waits for it meanwhile. */
  @Test
  void aClientThatTakesNothingIsCutOffAndKeepsNoOtherWaiting() throws Exception {
    start(new HttpLimits(64, Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(1)));
    EventClient slow = follow("", null, 1024);
    EventClient quick = follow("", null);
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
    List<EventClient> all = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      all.add(follow("", null));
    }
    controller.tellOfDeleted("a");
    controller.tellOfDeleted("b", "c");
    for (EventClient each : all) {
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
}
