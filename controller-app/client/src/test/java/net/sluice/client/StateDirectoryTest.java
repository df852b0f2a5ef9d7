package net.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import net.sluice.cli.OptionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StateDirectoryTest {
  private static final String HOME = "/home/alice";

  @Test
  void itIsTheOneAskedForElseTheServicesElseTheUsers() {
    Map<String, String> service =
        Map.of("STATE_DIRECTORY", "/var/lib/sluice:/var/lib/more", "XDG_STATE_HOME", "/state");
    assertThat(StateDirectory.of("/data", service, HOME)).isEqualTo(Path.of("/data"));
    assertThat(StateDirectory.of(null, service, HOME)).isEqualTo(Path.of("/var/lib/sluice"));
    assertThat(StateDirectory.of(null, Map.of("XDG_STATE_HOME", "/state"), HOME))
        .isEqualTo(Path.of("/state/sluice"));
    assertThat(StateDirectory.of(null, Map.of("XDG_STATE_HOME", "state"), HOME))
        .as("relative, which the specification has ignored")
        .isEqualTo(Path.of("/home/alice/.local/state/sluice"));
    assertThat(StateDirectory.of(null, Map.of(), HOME))
        .isEqualTo(Path.of("/home/alice/.local/state/sluice"));
  }

  @Test
  void itDoesNotDependOnWhereTheProcessWasStarted() {
    assertThat(StateDirectory.of("here/../data", Map.of(), HOME))
        .isEqualTo(Path.of("data").toAbsolutePath());
  }

  @Test
  void whatIsNoDirectoryIsRefused() {
    assertThatExceptionOfType(OptionException.class)
        .isThrownBy(() -> StateDirectory.of(" ", Map.of(), HOME))
        .withMessage("--data is ' '; allowed: the name of a directory");
    assertThatExceptionOfType(OptionException.class)
        .isThrownBy(() -> StateDirectory.of(null, Map.of("STATE_DIRECTORY", "sluice"), HOME))
        .withMessage(
            "--data is ''; allowed: the name of a directory; STATE_DIRECTORY names none:"
                + " 'sluice'");
    assertThatExceptionOfType(OptionException.class)
        .isThrownBy(() -> StateDirectory.of(null, Map.of(), "?"));
  }

  @Test
  void whatCannotBeMadeIsToldAndWhatCanIsNotLeftBehind(@TempDir Path folder) throws IOException {
    assertThat(StateDirectory.obstacle(folder.resolve("a/b"))).isEmpty();
    assertThat(folder).isEmptyDirectory();
    assertThat(StateDirectory.obstacle(folder)).isEmpty();
    assertThat(folder).isEmptyDirectory();
    Path file = Files.createFile(folder.resolve("file"));
    assertThat(StateDirectory.obstacle(file.resolve("data")))
        .hasValueSatisfying(
            why ->
                assertThat(why).startsWith("--data " + file + "/data cannot be made or written"));
    assertThat(StateDirectory.obstacle(Path.of("/proc/sluice")))
        .hasValueSatisfying(why -> assertThat(why).contains("/proc/sluice cannot be made"));
  }
}
