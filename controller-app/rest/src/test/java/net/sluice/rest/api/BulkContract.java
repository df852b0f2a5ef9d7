package net.sluice.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import net.sluice.core.Selection;
import net.sluice.intents.model.Kind;
import net.sluice.rest.testing.MemoryController;
import net.sluice.rest.testing.TestServer;
import net.sluice.rest.testing.Transcript;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Bulk changes over HTTP. */
public class BulkContract {
  private static final String GOLD =
      "{\"op\":\"put\",\"kind\":\"policy\",\"id\":\"gold\","
          + "\"value\":{\"throughputValue\":{\"builtIn\":\"gold\"}}}";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final MemoryController controller = new MemoryController(1000);
  private final TestServer server = new TestServer(controller);

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private static String subscriber(int number) {
    return String.format(
        Locale.ROOT,
        "{\"op\":\"put\",\"kind\":\"subscriber\",\"id\":\"s%d\",\"value\":{\"policy\":\"gold\","
            + "\"prefixes\":[\"10.0.%d.%d/32\"],\"attachment\":{\"port\":0,\"tree\":3}}}",
        number,
        number >>> 8,
        number & 255);
  }

  @Test
  void eachLineIsAnsweredByOneLineInOrder() throws Exception {
    String lines =
        String.join(
            "\n",
            GOLD,
            subscriber(1),
            "{\"op\":\"put\",\"kind\":\"subscriber\",\"id\":\"s2\",\"value\":{\"policy\":\"gold\"",
            "",
            subscriber(2).replace("\"policy\":\"gold\"", "\"policy\":\"none\""),
            subscriber(3).replace("10.0.0.3", "10.0.0.1"),
            "{\"op\":\"put\",\"kind\":\"rate-limit\",\"id\":\"s1\",\"value\":{\"scope\":"
                + "{\"subscriber\":\"s1\"},\"downBps\":50000000}}",
            subscriber(4).replace("\"tree\":3", "\"tree\":64,\"leaf\":1"),
            "{\"op\":\"delete\",\"kind\":\"policy\",\"id\":\"gold\"}",
            "{\"op\":\"delete\",\"kind\":\"subscriber\",\"id\":\"s9\"}",
            "{\"op\":\"delete\",\"kind\":\"rate-limit\",\"id\":\"s1\"}",
            "{\"op\":\"delete\",\"kind\":\"subscriber\",\"id\":\"s1\"}",
            subscriber(5));
    Transcript transcript = new Transcript(server);
    transcript.send("POST", "/bulk", "application/x-ndjson", lines);
    transcript.json("GET", "/subscribers", null);
    transcript.send("POST", "/bulk", "application/x-ndjson", "");
    Golden.check("bulk.txt", transcript.toString());
  }

  @Test
  void aDryRunAnswersPlansAndChangesNothing() throws Exception {
    assertThat(server.send("POST", "/bulk", "application/x-ndjson", GOLD).statusCode())
        .isEqualTo(200);
    Transcript transcript = new Transcript(server);
    transcript.send(
        "POST",
        "/bulk?dryRun=true",
        "application/x-ndjson",
        subscriber(1)
            + "\n{\"op\":\"delete\",\"kind\":\"policy\",\"id\":\"none\"}\n"
            + "{\"op\":\"put\",\"kind\":\"rate-limit\",\"id\":\"t\",\"value\":{\"scope\":"
            + "{\"port\":0,\"tree\":5},\"upBps\":7000000}}\n");
    transcript.json("GET", "/subscribers", null);
    Golden.check("bulk-dry-run.txt", transcript.toString());
    assertThat(controller.list(Kind.RATE_LIMIT, Selection.ALL, "", 1).total()).hasValue(0);
  }

  /** A client that reads while it writes gets the result of a line before it sends the next. */
  @Test
  void resultsAreSentWhileLinesStillCome() throws Exception {
    try (Bulk bulk = new Bulk(server)) {
      bulk.send(GOLD + "\n");
      assertThat(bulk.result().get("status").asInt()).isEqualTo(200);
      bulk.send(subscriber(1) + "\n" + subscriber(2).substring(0, 10));
      assertThat(bulk.result().get("id").asText()).isEqualTo("s1");
      assertThat(controller.find(Kind.SUBSCRIBER, "s1")).isPresent();
      assertThat(controller.find(Kind.SUBSCRIBER, "s2")).isEmpty();
      bulk.send(subscriber(2).substring(10));
      bulk.end();
      assertThat(bulk.result().get("id").asText()).isEqualTo("s2");
      assertThat(bulk.result()).isNull();
    }
  }

  /** Far more than any buffer on the way holds goes through, in both directions. */
  @Test
  void aLongStreamGoesThroughInOrder() throws Exception {
    int count = 200_000;
    try (Bulk bulk = new Bulk(server)) {
      CompletableFuture<Void> sent =
          CompletableFuture.runAsync(
              () -> {
                StringBuilder chunk = new StringBuilder();
                for (int i = 1; i <= count; i++) {
                  chunk.append("{\"op\":\"delete\",\"kind\":\"subscriber\",\"id\":\"s");
                  chunk.append(i).append("\"}\n");
                  if (i % 1000 == 0) {
                    bulk.sendUnchecked(chunk.toString());
                    chunk.setLength(0);
                  }
                }
                bulk.endUnchecked();
              });
      for (int i = 1; i <= count; i++) {
        String line = bulk.line();
        assertThat(line).startsWith("{\"line\":" + i + ",\"id\":\"s" + i + "\",\"status\":404,");
      }
      assertThat(bulk.line()).isNull();
      sent.get(60, TimeUnit.SECONDS);
    }
    List<Integer> sizes = controller.applyAllSizes();
    assertThat(sizes.stream().mapToInt(n -> n).sum()).isEqualTo(count);
    assertThat(sizes).as("bounded").allMatch(n -> n <= 20_000);
  }

  /** What was read before a client vanished stands, what was cut off does not, and all goes on. */
  @Test
  void aClientThatVanishesLeavesTheServerAtWork() throws Exception {
    try (Bulk bulk = new Bulk(server)) {
      bulk.send(GOLD + "\n" + subscriber(1) + "\n");
      assertThat(bulk.result().get("line").asInt()).isEqualTo(1);
      assertThat(bulk.result().get("line").asInt()).isEqualTo(2);
      bulk.send(subscriber(2));
    }
    HttpResponse<String> after =
        server.send("POST", "/bulk", "application/x-ndjson", subscriber(3));
    assertThat(after.body()).isEqualTo("{\"line\":1,\"id\":\"s3\",\"status\":200}\n");
    assertThat(controller.find(Kind.SUBSCRIBER, "s1")).isPresent();
    assertThat(controller.find(Kind.SUBSCRIBER, "s2")).isEmpty();
  }

  /** A bulk request over a socket of its own: the JDK's client does not read while it writes. */
  private static final class Bulk implements AutoCloseable {
    private final Socket socket;
    private final OutputStream out;
    private final ChunkedLines in;

    Bulk(TestServer server) throws IOException {
      socket = new Socket(server.base().getHost(), server.base().getPort());
      out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16);
      write(
          "POST "
              + server.base().getPath()
              + "/bulk HTTP/1.1\r\nHost: test\r\nContent-Type: application/x-ndjson\r\n"
              + "Transfer-Encoding: chunked\r\n\r\n");
      in = new ChunkedLines(socket);
    }

    private void write(String text) throws IOException {
      out.write(text.getBytes(StandardCharsets.US_ASCII));
      out.flush();
    }

    void send(String text) throws IOException {
      write(Integer.toHexString(text.length()) + "\r\n" + text + "\r\n");
    }

    void end() throws IOException {
      write("0\r\n\r\n");
    }

    void sendUnchecked(String text) {
      try {
        send(text);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    void endUnchecked() {
      try {
        end();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    String line() throws IOException {
      return in.readLine();
    }

    JsonNode result() throws IOException {
      String line = in.readLine();
      return line == null ? null : MAPPER.readTree(line);
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  /** Lines of a chunked response body; ASCII only. */
  private static final class ChunkedLines {
    private final BufferedReader in;
    private int left = -1;
    private int chunks;

    ChunkedLines(Socket socket) throws IOException {
      in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII), 1 << 16);
    }

    String readLine() throws IOException {
      if (left < 0) {
        assertThat(in.readLine()).isEqualTo("HTTP/1.1 200 OK");
        String header = in.readLine();
        while (!header.isEmpty()) {
          header = in.readLine();
        }
        left = 0;
      }
      StringBuilder line = new StringBuilder();
      while (true) {
        if (left == 0) {
          // The line end behind a chunk may come as late as the next chunk: Jetty sends it then.
          if (chunks++ > 0) {
            assertThat(in.readLine()).isEmpty();
          }
          String size = in.readLine();
          left = Integer.parseInt(size.trim(), 16);
          if (left == 0) {
            return line.length() == 0 ? null : line.toString();
          }
        }
        int c = in.read();
        left--;
        if (c == '\n') {
          return line.toString();
        }
        line.append((char) c);
      }
    }
  }
}
