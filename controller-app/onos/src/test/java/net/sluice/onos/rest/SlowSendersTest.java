package net.sluice.onos.rest;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import net.sluice.onos.cluster.ClusterMember.Standing;
import net.sluice.rest.request.RequestBody;
import net.sluice.rest.testing.MemoryController;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that send slowly, at the instance that leads and at one that forwards. */
class SlowSendersTest {
  private static final String POLICY = "{\"throughputValue\":{\"builtIn\":\"gold\"}}";

  /** More than the web server has threads, or an instance that forwards, or its leader. */
  private static final int SENDERS = 40;

  private final MemoryController controller = new MemoryController(SENDERS);
  private final JettyHost host = new JettyHost();
  private final List<Socket> sockets = new ArrayList<>();

  @AfterEach
  void stop() throws Exception {
    for (Socket socket : sockets) {
      socket.close();
    }
    host.close();
  }

  private void start(boolean leads) {
    Standing standing = leads ? JettyHost.LEADS : JettyHost.FOLLOWS;
    host.start(JettyHost.service(controller, standing));
  }

  private Socket send(String request) throws IOException {
    Socket socket = new Socket();
    sockets.add(socket);
    socket.connect(new InetSocketAddress("127.0.0.1", host.port()));
    socket.getOutputStream().write(request.getBytes(US_ASCII));
    return socket;
  }

  private static String put(String policy, String length) {
    return "PUT /onos/sluice/v1/policies/"
        + policy
        + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        + length
        + "\r\nConnection: close\r\n\r\n";
  }

  private static String answer(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), US_ASCII);
  }

  /** Does not wait for the connection's end, which comes only after a while without the body. */
  private static String problem(Socket socket) throws IOException {
    StringBuilder answer = new StringBuilder();
    for (int c = socket.getInputStream().read(); c >= 0; c = socket.getInputStream().read()) {
      answer.append((char) c);
      if (answer.indexOf("}\n") >= 0) {
        break;
      }
    }
    return answer.toString();
  }

  private String status() throws IOException {
    return answer(
        send(
            "GET /onos/sluice/v1/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void keepNobodyWaiting(boolean leads) throws Exception {
    start(leads);
    List<Socket> senders = new ArrayList<>();
    for (int i = 0; i < SENDERS; i++) {
      Socket sender = send(put("gold", "Content-Length: " + POLICY.length()));
      sender.getOutputStream().write(POLICY.substring(0, 5).getBytes(US_ASCII));
      senders.add(sender);
    }
    assertThat(status()).startsWith("HTTP/1.1 200 ");
    for (Socket sender : senders) {
      sender.getOutputStream().write(POLICY.substring(5).getBytes(US_ASCII));
    }
    for (Socket sender : senders) {
      assertThat(answer(sender)).startsWith("HTTP/1.1 20");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aBodyInPiecesIsTakenWhole(boolean leads) throws Exception {
    start(leads);
    Socket socket = send(put("gold", "Transfer-Encoding: chunked"));
    for (String piece : List.of(POLICY.substring(0, 7), POLICY.substring(7), "")) {
      socket
          .getOutputStream()
          .write(
              (Integer.toHexString(piece.length()) + "\r\n" + piece + "\r\n").getBytes(US_ASCII));
    }
    assertThat(answer(socket)).startsWith("HTTP/1.1 201 ");
    assertThat(answer(send(put("none", "Content-Length: 0")))).startsWith("HTTP/1.1 400 ");
  }

  @Test
  void aBodyThatIsTooLongIsRefusedBeforeItHasCome() throws Exception {
    start(true);
    int tooLong = RequestBody.MAX_BYTES + 1;
    // Jetty 9 waits for the first byte of a body itself.
    String refused = problem(send(put("gold", "Content-Length: " + tooLong) + "{"));
    assertThat(refused)
        .startsWith("HTTP/1.1 413 ")
        .contains("application/problem+json")
        .contains("body is more than 1048576 bytes");
    Socket socket = send(put("gold", "Transfer-Encoding: chunked"));
    socket.getOutputStream().write((Integer.toHexString(tooLong) + "\r\n").getBytes(US_ASCII));
    socket.getOutputStream().write(new byte[tooLong]);
    assertThat(problem(socket)).startsWith("HTTP/1.1 413 ");
  }
}
