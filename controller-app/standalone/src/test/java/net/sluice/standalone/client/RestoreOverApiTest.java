package net.sluice.standalone.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import net.sluice.standalone.client.ServedStore.Ended;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code sluice restore --api}: backups that a host restores while it runs. */
final class RestoreOverApiTest {
  @TempDir Path folder;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private HttpServer server;
  private int status = 200;
  private String answer = "";

  @BeforeEach
  void serve() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          requests.add(
              "%s %s %s %d"
                  .formatted(
                      exchange.getRequestMethod(),
                      exchange.getRequestURI(),
                      exchange.getRequestHeaders().getFirst("Content-Type"),
                      exchange.getRequestBody().readAllBytes().length));
          byte[] body = answer.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private Ended restore(String... more) throws Exception {
    Path file = Files.write(folder.resolve("backup"), new byte[7]);
    String[] all = new String[more.length + 2];
    all[0] = "restore";
    all[1] = file.toString();
    System.arraycopy(more, 0, all, 2, more.length);
    return ServedStore.run(server.getAddress().getPort(), all);
  }

  @Test
  void theFileIsSentAndWhatWasMadeOfItIsTold() throws Exception {
    answer =
        "{\"identity\":\"00000000000000ab\",\"revisions\":{\"bng1\":7,\"switch\":3},"
            + "\"notes\":[\"How switch bng1 is driven is left out.\"]}";
    assertThat(restore("--replace"))
        .isEqualTo(
            new Ended(
                0,
                "restored the API's store: identity 00000000000000ab, revision 7 of bng1,"
                    + " revision 3\nHow switch bng1 is driven is left out.\n",
                ""));
    assertThat(requests).containsExactly("POST /sluice/v1/restore?replace=true application/gzip 7");
  }

  @Test
  void aRefusalIsToldAndNothingIsMadeHere() throws Exception {
    status = 409;
    answer = "{\"detail\":\"There are declarations.\"}";
    Ended ended = restore();
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.err()).contains("answers 409: There are declarations.");
    assertThat(restore("--data", folder.toString()).err()).contains("nothing with --api");
    assertThat(requests).containsExactly("POST /sluice/v1/restore application/gzip 7");
  }

  @Test
  void aHostThatDoesNotRestoreSaysWhy() throws Exception {
    try (ServedStore served = new ServedStore(folder.resolve("store"))) {
      Path file = Files.write(folder.resolve("backup"), new byte[7]);
      assertThat(served.run("restore", file.toString()).err())
          .contains("has no restore: its store is not restored");
    }
  }
}
