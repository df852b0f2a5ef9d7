package net.sluice.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FreshFileTest {
  @Test
  void aSecondRunDoesNotOverwriteTheFirst(@TempDir Path folder) throws Exception {
    for (String name : new String[] {"demo.html", "demo-2.html", "demo-3.html"}) {
      Path file = FreshFile.in(folder, "demo", "html");
      assertThat(file).isEqualTo(folder.resolve(name));
      Files.createFile(file);
    }
  }
}
