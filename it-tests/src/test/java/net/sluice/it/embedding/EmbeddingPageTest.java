package net.sluice.it.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page shows the test that is run here, word for word. */
class EmbeddingPageTest {
  @Test
  void theTestOnThePageIsTheOneThatIsRun() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "emulator-embedding.md"));
    String source =
        Files.readString(Path.of("src/test/java/net/sluice/it/embedding/ForwardTest.java"));
    String shown = "```java\n" + source.substring(source.indexOf("import static")) + "```";
    assertThat(page).contains(shown);
  }
}
