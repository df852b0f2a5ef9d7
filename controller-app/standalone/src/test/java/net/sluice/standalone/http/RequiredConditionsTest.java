package net.sluice.standalone.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.host.SwitchDeclarations;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.json.MergePatch;
import net.sluice.rest.testing.MemoryController;
import net.sluice.standalone.Main;
import net.sluice.testing.Http;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What a controller started with {@code --require-if-match} refuses. */
final class RequiredConditionsTest {
  private static final String GOLD = "{\"throughputValue\":{\"builtIn\":\"gold\"}}";

  private static final String BNG1 =
      "{\"p4runtime\": \"127.0.0.1:9559\", \"topology\": {\"bngPorts\": {}, \"ports\":"
          + " [{\"number\": 1, \"role\": \"core\", \"rateBps\": 1000000000}]}}";
  private static final String BNG2 = BNG1.replace("9559", "9560");

  /** Keeps what is declared, and changes it while nobody else does. */
  private static final class MemorySwitches implements SwitchDeclarations {
    private final Map<String, byte[]> documents = new HashMap<>();

    @Override
    public Map<String, byte[]> documents() {
      return Map.copyOf(documents);
    }

    @Override
    public boolean put(String name, JsonValue body, byte[] document, Requirement requirement)
        throws Refusal {
      requirement.check(Optional.ofNullable(documents.get(name)));
      return documents.put(name, document) == null;
    }

    @Override
    public void delete(String name, Requirement requirement) throws Refusal {
      requirement.check(Optional.ofNullable(documents.get(name)));
      documents.remove(name);
    }
  }

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
    server = ServedApi.with(new MemoryController(10), new MemorySwitches(), options.settings());
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

  @Test
  void changesWithoutAConditionAreRefused() throws Exception {
    assertThat(send("PUT", "/policies/p", GOLD).statusCode()).isEqualTo(428);
    assertThat(send("PUT", "/policies/p?dryRun=true", GOLD).statusCode()).isEqualTo(200);
    HttpResponse<String> made = send("PUT", "/policies/p", GOLD, "If-None-Match", "*");
    assertThat(made.statusCode()).isEqualTo(201);
    assertThat(send("DELETE", "/policies/p", null).statusCode()).isEqualTo(428);
    String line = "{\"op\":\"delete\",\"kind\":\"policy\",\"id\":\"p\"}";
    assertThat(send("POST", "/bulk", line).body()).contains("\"status\":428").contains("ifMatch");
    assertThat(send("POST", "/bulk?dryRun=true", line).body()).contains("\"status\":200");
    assertThat(send("DELETE", "/policies/p", null, "If-Match", tag(made)).statusCode())
        .isEqualTo(204);
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

  @Test
  void aSwitchIsChangedByWhoKnowsIt() throws Exception {
    assertThat(send("PUT", "/switches/switch", BNG2).body())
        .contains(
            "If-Match is absent; allowed: the ETag of switch switch, or If-None-Match with *");
    HttpResponse<String> made = send("PUT", "/switches/switch", BNG1, "If-None-Match", "*");
    assertThat(made.statusCode()).isEqualTo(201);
    assertThat(send("PUT", "/switches/switch", BNG2, "If-None-Match", "*").statusCode())
        .isEqualTo(412);
    HttpResponse<String> got = send("GET", "/switches/switch", null);
    assertThat(tag(got)).isEqualTo(tag(made));
    assertThat(send("GET", "/switches/switch", null, "If-None-Match", tag(made)).statusCode())
        .isEqualTo(304);
    HttpResponse<String> same =
        send("PUT", "/switches/switch", BNG1.replace(" ", ""), "If-Match", tag(made));
    assertThat(same.statusCode()).isEqualTo(200);
    assertThat(tag(same)).isEqualTo(tag(made));
    HttpResponse<String> other = send("PUT", "/switches/switch", BNG2, "If-Match", tag(made));
    assertThat(tag(other)).isNotEqualTo(tag(made));
    for (String method : List.of("PUT", "DELETE", "PATCH")) {
      String body = method.equals("DELETE") ? null : BNG2;
      HttpResponse<String> late = send(method, "/switches/switch", body, "If-Match", tag(made));
      assertThat(late.statusCode()).isEqualTo(412);
      assertThat(late.body())
          .contains("The switch switch is not what If-Match says; its ETag is ")
          .contains(tag(other).replace("\"", ""));
    }
    HttpResponse<String> patched =
        send("PATCH", "/switches/switch", "{\"deviceId\":7}", "If-Match", tag(other));
    assertThat(patched.statusCode()).isEqualTo(200);
    assertThat(patched.body()).contains("\"deviceId\":7", "127.0.0.1:9560");
    assertThat(
            tag(send("PATCH", "/switches/switch", "{\"deviceId\":null}", "If-Match", tag(patched))))
        .isEqualTo(tag(other));
    assertThat(send("PATCH", "/switches/none", "{}", "If-Match", "*").statusCode()).isEqualTo(404);
    assertThat(send("PATCH", "/switches/switch", "{}").statusCode()).isEqualTo(428);
    assertThat(send("DELETE", "/switches/switch", null).statusCode()).isEqualTo(428);
    assertThat(send("DELETE", "/switches/switch", null, "If-Match", tag(other)).statusCode())
        .isEqualTo(204);
  }
}
