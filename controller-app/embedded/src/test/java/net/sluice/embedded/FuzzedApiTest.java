package net.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import net.sluice.rest.SluiceApplication;
import net.sluice.standalone.StandaloneController;
import net.sluice.testing.ForeignClient;
import net.sluice.testing.Http;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Requests that schemathesis makes from the published document, sound ones and others, to a
 * controller with emulated targets: none is answered as a failure of the server, each as the
 * document says.
 */
@Tag("long")
final class FuzzedApiTest {
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @TempDir private Path folder;

  @Test
  void everyRequestIsAnsweredAsTheDocumentSays() throws Exception {
    String python = ForeignClient.python("schemathesis");
    Path document = folder.resolve("openapi.json");
    try (InputStream published = SluiceApplication.class.getResourceAsStream("openapi.json")) {
      Files.copy(published, document);
    }
    Path hooks = ForeignClient.file(folder, "clients/sluice_hooks.py");
    try (EmbeddedTargets targets = EmbeddedTargets.start(new DefaultTopology(1_000_000_000L), 1);
        StandaloneController standalone =
            StandaloneController.start(List.of(targets.remote()), folder.resolve("data"), ANY)) {
      ProcessBuilder fuzzing = new ProcessBuilder(command(python, document, standalone.api() + ""));
      Path said = folder.resolve("schemathesis.txt");
      fuzzing.directory(folder.toFile()).redirectErrorStream(true).redirectOutput(said.toFile());
      fuzzing
          .environment()
          .putAll(
              Map.of("SCHEMATHESIS_HOOKS", "sluice_hooks", "PYTHONPATH", hooks.getParent() + ""));
      Process process = fuzzing.start();
      boolean ended = process.waitFor(2 * Patience.SECONDS, TimeUnit.SECONDS);
      process.destroyForcibly();
      String report = Files.readString(said);
      assertThat(ended).as(report).isTrue();
      assertThat(process.exitValue()).as(report).isZero();
      assertThat(report).contains("Fuzzing", " generated, ");
      assertThat(Http.send("GET", standalone.api() + "/status", null).statusCode()).isEqualTo(200);
    }
  }

  /** Backups would fill the disk, and events have no end. */
  private static List<String> command(String python, Path document, String api) {
    return List.of(
        python,
        "-m",
        "schemathesis.cli",
        "run",
        document.toString(),
        "--url",
        api,
        "--phases",
        "fuzzing",
        "--max-examples",
        "6",
        "--seed",
        "1",
        "--no-shrink",
        "--continue-on-failure",
        "--request-timeout",
        "60",
        "--suppress-health-check",
        "all",
        "--checks",
        "not_a_server_error,status_code_conformance,content_type_conformance,"
            + "response_headers_conformance,response_schema_conformance",
        "--exclude-operation-id",
        "backup",
        "--exclude-operation-id",
        "followEvents");
  }
}
