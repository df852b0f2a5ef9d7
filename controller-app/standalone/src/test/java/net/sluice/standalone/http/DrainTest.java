package net.sluice.standalone.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import net.sluice.core.Outcome;
import net.sluice.intents.plan.Change;
import net.sluice.rest.testing.MemoryController;
import net.sluice.testing.Http;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.Test;

/** The end of the server, as a signal brings it about. */
final class DrainTest {
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final String GOLD = "{\"throughputValue\":{\"builtIn\":\"gold\"}}";

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  /** Takes as long for a change as the test likes. */
  private final MemoryController controller =
      new MemoryController(10) {
        @Override
        public Outcome apply(Change change) {
          begun.countDown();
          try {
            goOn.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return super.apply(change);
        }
      };

  private static String statusLine(Socket socket) throws IOException {
    socket
        .getOutputStream()
        .write(
            "GET /sluice/v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n"
                .getBytes(StandardCharsets.US_ASCII));
    return new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))
        .readLine();
  }

  private static boolean isListening(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (ConnectException e) {
      return false;
    }
  }

  private static String send(Socket socket, String request) throws IOException {
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    StringBuilder answer = new StringBuilder();
    for (int c = socket.getInputStream().read(); c >= 0; c = socket.getInputStream().read()) {
      answer.append((char) c);
      if (c == '\n' && answer.charAt(answer.length() - 2) == '}') {
        break;
      }
    }
    return answer.toString();
  }

  /** Connections that have had an answer already, and are between two requests. */
  @Test
  void writersOverOpenConnectionsAreToldThatItEnds() throws Exception {
    Duration minute = Duration.ofMinutes(1);
    HttpLimits limits = new HttpLimits(64, minute, minute, minute, minute);
    ServedApi server = new ServedApi(controller, HttpSettings.on(ANY, limits));
    List<Socket> writers = new ArrayList<>();
    try {
      for (int i = 0; i < 8; i++) {
        Socket writer = new Socket(InetAddress.getLoopbackAddress(), server.port());
        writers.add(writer);
        assertThat(send(writer, "GET /sluice/v1/policies HTTP/1.1\r\nHost: localhost\r\n\r\n"))
            .startsWith("HTTP/1.1 200 ");
      }
      int port = server.port();
      CompletableFuture<Void> closed = CompletableFuture.runAsync(server::close);
      Patience.await("no connection is taken", () -> !isListening(port));
      for (Socket writer : writers) {
        String put =
            "PUT /sluice/v1/policies/gold HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Type: application/json\r\nContent-Length: "
                + GOLD.length()
                + "\r\n\r\n"
                + GOLD;
        assertThat(send(writer, put))
            .startsWith("HTTP/1.1 503 ")
            .contains("\r\nConnection: close\r\n", "The controller is stopping.");
      }
      closed.get();
    } finally {
      for (Socket writer : writers) {
        writer.close();
      }
    }
  }

  @Test
  void whatIsUnderWayIsAnsweredAndWhatIsNewIsNot() throws Exception {
    ServedApi server = new ServedApi(controller, HttpSettings.on(ANY));
    int port = server.port();
    try (Socket idle = new Socket(InetAddress.getLoopbackAddress(), port)) {
      CompletableFuture<HttpResponse<String>> change =
          Http.begin("PUT", server.base() + "/policies/gold", GOLD);
      begun.await();
      CompletableFuture<Void> closed = CompletableFuture.runAsync(server::close);
      Patience.await("no connection is taken", () -> !isListening(port));
      String refused = statusLine(idle);
      // Where a second was too short for this machine.
      assertThat(refused == null ? "closed" : refused)
          .isIn("closed", "HTTP/1.1 503 Service Unavailable");
      assertThat(closed).isNotDone();
      goOn.countDown();
      assertThat(change.get().statusCode()).isEqualTo(201);
      closed.get();
    }
  }
}
