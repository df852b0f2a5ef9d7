package net.sluice.it.docker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code upgrade.sh} against a server that answers as an instance of ONOS does. */
class UpgradeScriptTest {
  private static final Path SCRIPT =
      Path.of("").toAbsolutePath().resolveSibling("docker/onos/upgrade.sh");

  @TempDir Path folder;
  private final List<String> changes = Collections.synchronizedList(new ArrayList<>());
  private HttpServer onos;
  private String nodes = "";
  private boolean installed = true;

  @BeforeEach
  void start() throws IOException {
    onos = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    onos.createContext("/onos", this::answer);
    onos.start();
  }

  @AfterEach
  void stop() {
    onos.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String method = exchange.getRequestMethod();
    String path = exchange.getRequestURI().getPath();
    exchange.getRequestBody().readAllBytes();
    int status = 200;
    if (!method.equals("GET")) {
      changes.add(method + " " + path);
      installed = method.equals("POST");
      status = installed ? 200 : 204;
    } else if (path.endsWith("/bits") && !installed) {
      status = 404;
    }
    byte[] body = path.endsWith("/cluster") ? nodes.getBytes(UTF_8) : new byte[0];
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static String node(String ip, String status) {
    return "{\"id\":\"%s\",\"ip\":\"%s\",\"tcpPort\":9876,\"status\":\"%s\"}"
        .formatted(ip, ip, status);
  }

  /** Runs it for one instance that is named as often as that; what it prints. */
  private String run(int expected, int named) throws Exception {
    Path archive = Files.writeString(folder.resolve("sluice.oar"), "an archive");
    List<String> command = new ArrayList<>(List.of("sh", SCRIPT.toString(), archive.toString()));
    command.addAll(Collections.nCopies(named, "127.0.0.1:" + onos.getAddress().getPort()));
    Process script = new ProcessBuilder(command).redirectErrorStream(true).start();
    String printed = new String(script.getInputStream().readAllBytes(), UTF_8);
    assertThat(script.waitFor()).as(printed).isEqualTo(expected);
    return printed;
  }

  @Test
  void anInstanceThatNeverBecomesReadyIsUpgradedAsWell() throws Exception {
    nodes = "{\"nodes\":[" + node("10.0.0.1", "READY") + "," + node("10.0.0.2", "ACTIVE") + "]}";
    assertThat(run(0, 2)).contains("runs " + folder.resolve("sluice.oar"));
    assertThat(changes)
        .containsExactly("DELETE /onos/v1/applications/net.sluice", "POST /onos/v1/applications");
  }

  @Test
  void nothingIsChangedWhileAnInstanceIsAwayOrNotNamed() throws Exception {
    nodes = "{\"nodes\":[" + node("10.0.0.1", "READY") + "," + node("10.0.0.2", "INACTIVE") + "]}";
    assertThat(run(1, 2))
        .contains("2 instances are named, and 1 are in the cluster; allowed: each of those;");
    nodes = nodes.replace("INACTIVE", "ACTIVE");
    assertThat(run(1, 1)).contains("1 instances are named, and 2 are in the cluster;");
    assertThat(changes).isEmpty();
  }
}
