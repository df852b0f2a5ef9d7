package net.sluice.lab.bench.switching;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The benchmark runs the switch with the launcher's own options. */
class LauncherOptionsTest {

  @Test
  void theSwitchRunsWithTheOptionsItIsMeasuredWith() throws IOException {
    String launcher = Files.readString(Path.of("../sluice"));
    String options =
        String.join(" ", CpuAffinity.OPTIONS).replace("-XX:+UseTransparentHugePages ", "$huge");
    assertThat(launcher)
        .contains("huge='-XX:+UseTransparentHugePages '")
        .contains("SLUICE_JAVA_OPTS=${SLUICE_JAVA_OPTS:-" + options + "}\n    run \"$command\"");
  }
}
