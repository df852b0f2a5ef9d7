package net.sluice.rest.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
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

  private void requireOnPath(String command, String version) throws InterruptedException {
    try {
      var unused = output(command, version);
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
    requireOnPath("openapi-python-client", "--version");
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
    requireOnPath("openapi-ts", "--version");
    requireOnPath("tsc", "--version");
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

  @Test
  void theJavaClientDoesTheSame() throws Exception {
    requireOnPath("openapi-generator-cli", "version");
    requireOnPath("mvn", "--version");
    var unused =
        output(
            ("openapi-generator-cli generate -g java -i openapi.json -o java"
                    + " --invoker-package net.sluice.client --api-package net.sluice.client.api"
                    + " --model-package net.sluice.client.model"
                    // Otherwise it sends lists that were never set, and they are refused.
                    + " --additional-properties containerDefaultToNull=true")
                .split(" "));
    Path java = folder.resolve("java");
    Files.copy(FILES.resolve("Walk.java"), java.resolve("src/main/java/Walk.java"));
    unused =
        output(
            "mvn",
            "-B",
            "-q",
            "-f",
            java.resolve("pom.xml").toString(),
            "compile",
            "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath",
            "-Dmdep.outputFile=classpath");
    String classpath =
        java.resolve("target/classes")
            + File.pathSeparator
            + Files.readString(java.resolve("classpath"));
    walk("java", "-cp", classpath, "Walk");
  }
}
