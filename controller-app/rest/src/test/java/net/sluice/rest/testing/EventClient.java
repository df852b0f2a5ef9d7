package net.sluice.rest.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A client that follows the events over a connection of its own. */
public final class EventClient implements AutoCloseable {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Socket socket = new Socket();
  private final BufferedReader reader;
  private String lastId;

  /**
   * Asks for events.
   *
   * @param base of the API
   * @param query with its question mark, or empty
   * @param seen id of the last event that it has seen; null for none
   * @param window bytes that it takes without reading; 0 for as many as the machine does
   * @param headers others than of any client, such as {@code Authorization: Bearer portal}
   */
  public EventClient(URI base, String query, String seen, int window, String... headers)
      throws IOException {
    if (window > 0) {
      socket.setReceiveBufferSize(window);
    }
    socket.connect(new InetSocketAddress(base.getHost(), base.getPort()));
    List<String> head = new ArrayList<>();
    head.add("GET " + base.getPath() + "/events" + query + " HTTP/1.0");
    head.add("Host: localhost");
    head.add("Accept: text/event-stream");
    head.addAll(List.of(headers));
    if (seen != null) {
      head.add("Last-Event-ID: " + seen);
    }
    socket
        .getOutputStream()
        .write((String.join("\r\n", head) + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
    reader =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Waits until the answer has begun; events from then on come. */
  public EventClient begun() throws IOException {
    String line = reader.readLine();
    assertThat(line).isEqualTo("HTTP/1.1 200 OK");
    while (!"retry: 2000".equals(line)) {
      line = reader.readLine();
    }
    return this;
  }

  /** The id of the event that was read last. */
  public String lastId() {
    return lastId;
  }

  /** The next event; null at the end. */
  public JsonNode next() throws IOException {
    String line = reader.readLine();
    while (line != null && !line.startsWith("data: ")) {
      if (line.startsWith("id: ")) {
        lastId = line.substring(4);
      }
      line = reader.readLine();
    }
    return line == null ? null : MAPPER.readTree(line.substring(6));
  }

  /** Types and subjects of the next events. */
  public List<String> next(int count) throws IOException {
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
  public boolean isEnded() throws IOException {
    try {
      return next() == null;
    } catch (SocketException | JsonProcessingException e) {
      // In the midst of an event.
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
