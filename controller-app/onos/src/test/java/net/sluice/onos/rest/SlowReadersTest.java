package net.sluice.onos.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.sluice.core.TargetState;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.onos.cluster.ClusterMember.Standing;
import net.sluice.rest.testing.MemoryController;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that read slowly, at the instance that leads and at one that forwards. */
class SlowReadersTest {
  private static final int LISTED = 900;

  /** More than the web server has threads, or an instance that forwards, or its leader. */
  private static final int READERS = 40;

  private final MemoryController controller = new MemoryController(LISTED);
  private final JettyHost host = new JettyHost();
  private final List<Socket> sockets = new ArrayList<>();

  @AfterEach
  void stop() throws Exception {
    for (Socket socket : sockets) {
      socket.close();
    }
    host.close();
  }

  private void declareMegabytes() {
    var unused = controller.apply(new Change.Put(new Policy("gold", BuiltInFunction.GOLD)));
    for (int i = 0; i < LISTED; i++) {
      List<IpPrefix> prefixes = List.of(IpPrefix.v4(0x0A00_0000 + i, 32));
      Subscriber subscriber =
          new Subscriber("s" + i, "gold", prefixes, Optional.empty(), new Attachment(0, 0));
      assertThat(controller.apply(new Change.Put(subscriber)).isAccepted()).isTrue();
    }
    controller.targetsAnswer(TargetState.FAILED, "no room ".repeat(700));
  }

  private Socket get(String path) throws IOException {
    Socket socket = new Socket();
    sockets.add(socket);
    socket.setReceiveBufferSize(4 << 10);
    socket.connect(new InetSocketAddress("127.0.0.1", host.port()));
    String request = "GET /onos/sluice/v1" + path + " HTTP/1.0\r\nHost: localhost\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static String line(Socket socket) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = socket.getInputStream().read(); c != '\n' && c >= 0; ) {
      line.append((char) c);
      c = socket.getInputStream().read();
    }
    return line.toString();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void keepNobodyWaiting(boolean leads) throws Exception {
    declareMegabytes();
    Standing standing = leads ? JettyHost.LEADS : JettyHost.FOLLOWS;
    host.start(JettyHost.service(controller, standing));
    List<Socket> readers = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      readers.add(get("/subscribers?limit=1000"));
    }
    for (Socket reader : readers) {
      assertThat(line(reader)).startsWith("HTTP/1.1 200 ");
    }
    assertThat(line(get("/status"))).startsWith("HTTP/1.1 200 ");
    byte[] whole = readers.get(0).getInputStream().readAllBytes();
    assertThat(whole)
        .hasSizeGreaterThan(5_000_000)
        .endsWith("]}\n".getBytes(StandardCharsets.US_ASCII));
  }
}
