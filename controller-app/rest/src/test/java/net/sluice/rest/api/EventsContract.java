package net.sluice.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.sluice.core.ControllerEvent;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.TargetState;
import net.sluice.core.store.InMemoryNetworkStore;
import net.sluice.intents.model.Kind;
import net.sluice.northbound.events.ControllerEvents;
import net.sluice.rest.testing.EventClient;
import net.sluice.rest.testing.TellingController;
import net.sluice.rest.testing.TestServer;
import net.sluice.rest.testing.TestServices;
import net.sluice.testing.Http;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The events over real connections, and over the end of the process. */
final class EventsContract {
  private final TellingController controller = new TellingController();
  private final List<EventClient> clients = new ArrayList<>();
  private InMemoryNetworkStore store = new InMemoryNetworkStore(Clock.systemUTC());
  private TestServices services;
  private TestServer server;

  @BeforeEach
  void start() {
    controller.recordIn(store);
    services = new TestServices(controller, store);
    server = new TestServer(services);
  }

  private ControllerEvents events() {
    return services.northbound().events();
  }

  @AfterEach
  void stop() throws Exception {
    for (EventClient client : clients) {
      client.close();
    }
    clients.clear();
    server.close();
  }

  /** The process ends without a word: another one finds what it has written by now. */
  private void kill() throws Exception {
    InMemoryNetworkStore left = store.copy();
    stop();
    store = left;
  }

  private EventClient follow(String query, String seen) throws IOException {
    EventClient client = new EventClient(server.base(), query, seen, 0);
    clients.add(client);
    return client.begun();
  }

  private static ControllerEvent installed(String id) {
    return new ControllerEvent.StatusChanged(
        Kind.SUBSCRIBER, id, "switch", TargetState.INSTALLED, Optional.empty());
  }

  @Test
  void eachEventIsACloudEventWithANumber() throws Exception {
    EventClient client = follow("", null);
    controller.tell(installed("alice"), installed("bob"));
    JsonNode alice = client.next();
    assertThat(alice.get("specversion").asText()).isEqualTo("1.0");
    assertThat(alice.get("id").asText()).isEqualTo(client.lastId()).matches("[0-9a-f]{8}-[0-9]+");
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
  void theNewestComeFirstWhereTheyAreAskedFor() throws Exception {
    controller.tellOfDeleted("a", "b", "c");
    EventClient client = follow("?last=2", null);
    assertThat(client.next(2))
        .containsExactly("declaration.deleted subscribers/b", "declaration.deleted subscribers/c");
    controller.tellOfDeleted("d");
    assertThat(client.next(1)).containsExactly("declaration.deleted subscribers/d");
    assertThat(follow("?last=2&subject=subscribers/c", null).next(1))
        .containsExactly("declaration.deleted subscribers/c");
    // More than there are: from the oldest on, of which none is missing.
    assertThat(follow("?last=1000&type=net.sluice.events,net.sluice.declaration", null).next(1))
        .containsExactly("declaration.deleted subscribers/a");
  }

  @Test
  void whoComesBackAfterARestartMissesNothing() throws Exception {
    EventClient client = follow("", null);
    controller.tellOfDeleted("a", "b", "c");
    assertThat(client.next(2))
        .containsExactly("declaration.deleted subscribers/a", "declaration.deleted subscribers/b");
    stop();
    start();
    controller.tellOfDeleted("d");
    EventClient again = follow("", client.lastId());
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
    EventClient client = follow("", null);
    controller.tellOfDeleted("a", "b");
    client.next(1);
    kill();
    start();
    EventClient again = follow("", client.lastId());
    assertThat(again.next(3))
        .containsExactly(
            "declaration.deleted subscribers/b",
            "controller.started controller",
            "events.gap events");
  }

  @Test
  void whoComesBackTooLateIsToldOfTheGap() throws Exception {
    EventClient client = follow("", null);
    controller.tellOfDeleted("a");
    client.next(1);
    for (int i = 0; i < 200; i++) {
      controller.tellOfDeleted("s" + i);
    }
    store.journal("events").trim(8000, Instant.EPOCH);
    EventClient again = follow("", client.lastId());
    JsonNode gap = again.next();
    assertThat(gap.get("type").asText()).isEqualTo("net.sluice.events.gap");
    assertThat(gap.at("/data/reason").asText()).isEqualTo("events are not kept so long");
    JsonNode next = again.next();
    assertThat(next.get("subject").asText()).startsWith("subscribers/s");
    assertThat(gap.get("sequence").asText())
        .isEqualTo("%019d".formatted(next.get("sequence").asLong() - 1));
    EventClient other = follow("", "00000000-5");
    assertThat(other.next().at("/data/reason").asText())
        .isEqualTo("the events are those of another log by now");
  }

  @Test
  void onlyWhatIsWantedIsSent() throws Exception {
    EventClient client =
        follow(
            "?type=net.sluice.declaration.installed,net.sluice.target&subject=subscribers/a", null);
    EventClient targets = follow("?type=net.sluice.target", null);
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
    assertThat(Http.send("GET", server.base() + "/events?sinse=3", null).statusCode())
        .isEqualTo(400);
    assertThat(Http.send("GET", server.base() + "/events", null, "Last-Event-ID", "x").body())
        .contains("Last-Event-ID is \\\"x\\\"; allowed: the id of an event, or 0");
    assertThat(
            Http.send("GET", server.base() + "/events", null, "Accept", "text/html").statusCode())
        .isEqualTo(406);
    assertThat(Http.send("HEAD", server.base() + "/events", null).statusCode()).isEqualTo(200);
  }

  @Test
  void aClientThatAcceptsProblemsAloneIsSentEvents() throws Exception {
    HttpResponse<String> events =
        Http.send("HEAD", server.base() + "/events", null, "Accept", "application/problem+json");
    assertThat(events.statusCode()).isEqualTo(200);
    assertThat(events.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("text/event-stream");
  }

  @Test
  void theEndOfTheServerEndsTheAnswers() throws Exception {
    EventClient client = follow("", null);
    events().endAnswers();
    assertThat(client.isEnded()).isTrue();
  }
}
