package net.sluice.standalone.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import net.sluice.rest.json.MergePatch;
import net.sluice.rest.testing.MemoryController;
import net.sluice.standalone.Main;
import net.sluice.testing.Http;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A controller started with {@code --require-if-match}. */
final class RequiredConditionsTest {
  private static final String GOLD = "{\"throughputValue\":{\"builtIn\":\"gold\"}}";

  @TempDir private Path data;
  private ServedApi server;

  @BeforeEach
  void start() throws Exception {
    HttpOptions options = new HttpOptions();
    var unused =
        new CommandLine(options)
            .registerConverter(
                InetSocketAddress.class,
                text -> new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .parseArgs("--http", "127.0.0.1:0", "--require-if-match");
    server = new ServedApi(new MemoryController(10), options.settings());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private HttpResponse<String> send(String method, String path, String body, String... headers)
      throws Exception {
    String[] all = new String[headers.length + 2];
    System.arraycopy(headers, 0, all, 2, headers.length);
    all[0] = "Content-Type";
    all[1] =
        path.startsWith("/bulk")
            ? "application/x-ndjson"
            : method.equals("PATCH") ? MergePatch.MEDIA_TYPE : "application/json";
    return Http.send(method, server.base() + path, body, all);
  }

  private static String tag(HttpResponse<String> response) {
    return response.headers().firstValue("ETag").orElseThrow();
  }

  private String run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Main.commandLine(Optional.empty())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(arguments);
    assertThat(code).as(err.toString()).isZero();
    return out.toString();
  }

  /** A line without a condition is made of what is declared then, whether that is there or not. */
  @Test
  void anExportIsImportedAgain() throws Exception {
    String file = data.resolve("export.ndjson").toString();
    for (String id : List.of("p", "q")) {
      assertThat(send("PUT", "/policies/" + id, GOLD, "If-None-Match", "*").statusCode())
          .isEqualTo(201);
    }
    String unused = run("export", file, "--api", "http://127.0.0.1:" + server.port());
    HttpResponse<String> found = send("GET", "/policies/q", null);
    assertThat(send("DELETE", "/policies/q", null, "If-Match", tag(found)).statusCode())
        .isEqualTo(204);
    Files.writeString(
        Path.of(file),
        "{\"op\":\"delete\",\"kind\":\"policy\",\"id\":\"p\"}\n" + Files.readString(Path.of(file)));
    assertThat(run("import", file, "--api", "http://127.0.0.1:" + server.port()))
        .isEqualTo("3 lines done, 0 refused\n");
    assertThat(run("import", file, "--atomic", "--api", "http://127.0.0.1:" + server.port()))
        .isEqualTo("3 lines done, 0 refused\n");
    assertThat(send("GET", "/policies/q", null).statusCode()).isEqualTo(200);
  }
}
