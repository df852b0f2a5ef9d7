package net.sluice.rest.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The published document is the one that the resources give. */
class OpenApiDocumentTest {
  private static final Path COMMITTED =
      Path.of("src", "main", "resources", "net", "sluice", "rest", "openapi.json");

  @Test
  void theCommittedDocumentIsTheResources() throws IOException {
    String document = OpenApiDocument.text();
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(COMMITTED, document);
      return;
    }
    assertThat(document)
        .as("%s; -Dgolden.update=true writes it", COMMITTED)
        .isEqualTo(Files.readString(COMMITTED));
  }
}
