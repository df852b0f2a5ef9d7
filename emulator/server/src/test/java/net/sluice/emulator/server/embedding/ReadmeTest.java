package net.sluice.emulator.server.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The README shows the test that is run here, word for word. */
class ReadmeTest {
  @Test
  void theTestOfTheReadmeIsTheOneThatIsRun() throws IOException {
    String page = Files.readString(Path.of("..", "README.md"));
    String source =
        Files.readString(
            Path.of("src/test/java/net/sluice/emulator/server/embedding/ForwardTest.java"));
    String shown = "```java\n" + source.substring(source.indexOf("import static")) + "```";
    assertThat(page).contains(shown);
  }
}
