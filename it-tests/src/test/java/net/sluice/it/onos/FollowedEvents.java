package net.sluice.it.onos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import net.sluice.testing.Patience;

/** The server-sent events of one answer, read by a thread until the answer ends. */
final class FollowedEvents {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String ID = "id: ";
  private static final String DATA = "data: ";

  private final List<JsonNode> events = new CopyOnWriteArrayList<>();
  private final Thread reading;
  private volatile String lastId;

  private FollowedEvents(Stream<String> lines, String lastId) {
    this.lastId = lastId;
    reading = new Thread(() -> read(lines), "events");
    reading.setDaemon(true);
    reading.start();
  }

  /**
   * Asks until the answer begins.
   *
   * @param lastId id of the event before the first; empty to begin with what comes
   */
  static FollowedEvents of(OnosRest rest, String path, String lastId) {
    HttpResponse<Stream<String>> answer =
        Patience.awaitAnswer(
            "events are told",
            Patience.TIME,
            () ->
                rest.send(
                    "GET",
                    path,
                    lastId.isEmpty() ? Map.of() : Map.of("Last-Event-ID", lastId),
                    BodyPublishers.noBody(),
                    BodyHandlers.ofLines()),
            asked -> asked.statusCode() == 200);
    return new FollowedEvents(answer.body(), lastId);
  }

  private void read(Stream<String> lines) {
    try (lines) {
      lines.forEach(this::take);
    } catch (UncheckedIOException e) {
      // The instance is gone, or another one leads.
    }
  }

  private void take(String line) {
    try {
      if (line.startsWith(DATA)) {
        events.add(MAPPER.readTree(line.substring(DATA.length())));
      } else if (line.startsWith(ID)) {
        lastId = line.substring(ID.length());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for an event of a type about a subject. */
  void await(String type, String subject) {
    Patience.await(
        type + " of " + subject,
        () ->
            events.stream()
                .anyMatch(
                    each ->
                        each.path("type").asText().equals(type)
                            && each.path("subject").asText().equals(subject)));
  }

  /** Waits until the answer has ended. */
  void awaitEnd() {
    Patience.await("the answer ends", () -> !reading.isAlive());
  }

  /** The events so far. */
  List<JsonNode> events() {
    return events;
  }

  /** Id of the last event, for {@link #of}. */
  String lastId() {
    return lastId;
  }
}
