package net.sluice.standalone.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import net.sluice.standalone.Main;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ways to an API and into it. */
final class ApiOptionsTest {
  @TempDir Path folder;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private HttpServer server;

  @BeforeEach
  void serve() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          requests.add(
              exchange.getRequestURI().getPath()
                  + " "
                  + exchange.getRequestHeaders().getFirst("Authorization"));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private String url(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  private String file(String text) throws Exception {
    return Files.writeString(folder.resolve("secret"), text, StandardCharsets.UTF_8).toString();
  }

  private String export(int exit, String... options) {
    StringWriter said = new StringWriter();
    String[] all = new String[options.length + 1];
    all[0] = "export";
    System.arraycopy(options, 0, all, 1, options.length);
    assertThat(Main.commandLine(Optional.empty()).setErr(new PrintWriter(said)).execute(all))
        .as(said.toString())
        .isEqualTo(exit);
    return said.toString();
  }

  @Test
  void anApiIsReachedByItsPathAndWithALoginOrAToken() throws Exception {
    export(0, "--api", url(""));
    export(0, "--api", url("/onos/sluice/v1/"), "--login-file", file("onos:ro:cks\n"));
    export(0, "--api", url("/"), "--token-file", file("secret\n"));
    assertThat(requests)
        .containsExactly(
            "/sluice/v1/export null",
            "/onos/sluice/v1/export Basic b25vczpybzpja3M=",
            "/sluice/v1/export Bearer secret");
  }

  @Test
  void otherWaysAreRefusedByOptionAndValue() throws Exception {
    assertThat(export(2, "--api", url("/a?b")))
        .contains("--api", "http://onos1:8181/onos/sluice/v1");
    String file = file("nobody\n");
    assertThat(export(2, "--login-file", file)).contains("a file with USER:PASSWORD");
    assertThat(export(2, "--login-file", file, "--token-file", file))
        .contains("nothing with --token-file");
  }
}
