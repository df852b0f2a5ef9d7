package net.sluice.rest.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.sluice.rest.testing.MemoryController;
import net.sluice.rest.testing.TestServer;
import net.sluice.testing.Prerequisite;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that others' generators make of the document work. */
@Tag("long")
final class GeneratedClientsTest {
  private static final Path FILES = Path.of("src/test/resources/clients").toAbsolutePath();

  @TempDir private Path folder;

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
    try {
      var unused = output("openapi-python-client", "--version");
    } catch (IOException e) {
      Prerequisite.CLIENT_GENERATORS.skip(
          "openapi-python-client is not on PATH: no client is made of openapi.json");
    }
    Files.writeString(folder.resolve("openapi.json"), OpenApiDocument.text());
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
    try (TestServer server = new TestServer(new MemoryController(10))) {
      List<String> command =
          List.of("python3", FILES.resolve("walk.py").toString(), server.base().toString());
      assertThat(output(command.toArray(String[]::new))).endsWith("ok\n");
    }
  }
}
