package net.sluice.rest.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.sluice.rest.testing.MemoryController;
import net.sluice.rest.testing.TestServer;
import net.sluice.testing.Prerequisite;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that others' generators make of the document work. */
@Tag("long")
final class GeneratedClientsTest {
  private static final Path FILES = Path.of("src/test/resources/clients").toAbsolutePath();

  @TempDir private Path folder;

  private void requireOnPath(String command) throws InterruptedException {
    try {
      var unused = output(command, "--version");
    } catch (IOException e) {
      Prerequisite.CLIENT_GENERATORS.skip(
          command + " is not on PATH: no client is made of openapi.json");
    }
  }

  private void walk(String... command) throws Exception {
    try (TestServer server = new TestServer(new MemoryController(10))) {
      List<String> whole = new ArrayList<>(List.of(command));
      whole.add(server.base().toString());
      assertThat(output(whole.toArray(String[]::new))).endsWith("ok\n");
    }
  }

  @BeforeEach
  void writeDocument() throws IOException {
    Files.writeString(folder.resolve("openapi.json"), OpenApiDocument.text());
  }

  private String output(String... command) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().put("PYTHONPATH", folder.resolve("sluice-client").toString());
    Process process = builder.start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(text).isZero();
    return text;
  }

  @Test
  void thePythonClientCreatesPatchesListsAndFollows() throws Exception {
    requireOnPath("openapi-python-client");
    assertThat(
            output(
                "openapi-python-client",
                "generate",
                "--path",
                "openapi.json",
                "--config",
                FILES.resolve("client.yaml").toString()))
        .as("parts of the document that it leaves out")
        .doesNotContain("WARNING");
    walk("python3", FILES.resolve("walk.py").toString());
  }

  @Test
  void theTypeScriptClientDoesTheSame() throws Exception {
    requireOnPath("openapi-ts");
    requireOnPath("tsc");
    var unused =
        output("openapi-ts", "-i", "openapi.json", "-o", "out", "-c", "@hey-api/client-fetch");
    Files.copy(FILES.resolve("walk.ts"), folder.resolve("walk.ts"));
    String compiled =
        output(
            ("tsc --outDir js --strict --target es2022 --module commonjs --moduleResolution node10"
                    + " --lib es2022,dom,dom.iterable --skipLibCheck --ignoreDeprecations 5.0"
                    + " walk.ts")
                .split(" "));
    assertThat(compiled).isEmpty();
    walk("node", "js/walk.js");
  }
}
