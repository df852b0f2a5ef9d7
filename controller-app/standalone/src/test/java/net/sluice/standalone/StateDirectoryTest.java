package net.sluice.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.Map;
import net.sluice.cli.OptionException;
import org.junit.jupiter.api.Test;

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
}
