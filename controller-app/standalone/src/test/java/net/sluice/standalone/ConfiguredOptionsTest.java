package net.sluice.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options in a file and in the environment, as {@code serve --check} takes them. */
final class ConfiguredOptionsTest {
  private static final String TOPOLOGY =
      "{\"ports\": [{\"number\": 1, \"role\": \"access\", \"rateBps\": 100000000,"
          + " \"destinationMac\": \"02:00:00:01:00:01\"}], \"bngPorts\": {\"0\": 1}}";

  @TempDir Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int check(Map<String, String> environment, String yaml, String... more)
      throws IOException {
    Files.writeString(directory.resolve("topology.json"), TOPOLOGY);
    Path file = Files.writeString(directory.resolve("sluice.yaml"), yaml);
    String[] args = new String[more.length + 4];
    args[0] = "serve";
    args[1] = "--check";
    args[2] = "--config";
    args[3] = file.toString();
    System.arraycopy(more, 0, args, 4, more.length);
    return Main.commandLine(Optional.empty(), environment)
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(args);
  }

  private String whole() {
    return """
        # What is driven, and where it is kept.
        switch: 192.0.2.7:9559
        topology: %s
        data: %s
        device-id: 4
        keep-election-id: true
        adopt: false
        allowed-host: [sluice.example, other.example]
        closed:
          - adopt
          - switches
        """
        .formatted(directory.resolve("topology.json"), directory.resolve("data"));
  }

  @Test
  void aFileSaysWhatTheCommandLineCould() throws Exception {
    assertThat(check(Map.of(), whole())).as(err.toString()).isZero();
    assertThat(out.toString())
        .contains("switch 192.0.2.7:9559 device 4 (emulator), not contacted")
        .contains("store " + directory.resolve("data"));
  }

  @Test
  void theCommandLineCountsBeforeTheEnvironmentAndThatBeforeTheFile() throws Exception {
    Map<String, String> environment =
        Map.of("SLUICE_SWITCH", "192.0.2.8:9559", "SLUICE_DEVICE_ID", "5", "SLUICE_ADOPT", "true");
    assertThat(check(environment, whole(), "--device-id=6")).as(err.toString()).isZero();
    assertThat(out.toString()).contains("switch 192.0.2.8:9559 device 6 ");
  }

  @Test
  void aVariableThatNoOptionHasIsNamedWithTheNearest() throws Exception {
    Map<String, String> environment =
        Map.of(
            "SLUICE_ELECTON_ID", "7",
            "SLUICE_JAVA_OPTS", "-Xmx1g",
            "SLUICE_DEVICE_ID", "5",
            "OTHER_HTTP", "x");
    assertThat(check(environment, whole())).as(err.toString()).isZero();
    assertThat(err.toString())
        .contains(
            "sluice: SLUICE_ELECTON_ID in the environment is ignored: it is no option's; the nearest"
                + " is SLUICE_ELECTION_ID")
        .doesNotContain("JAVA_OPTS", "DEVICE_ID", "OTHER_HTTP");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "http: 8181 | 1:7: --http is '8181'; allowed: HOST:PORT with a port",
        "data: x\\nhtp: 1 | 2:1: there is no option 'htp'; 'sluice serve --help' lists them",
        "config: x | 1:1: there is no option 'config'",
        "election-id: 0 | 1:14: --election-id is '0'; allowed: a whole number, 1 to ",
        "audit-interval: never | 1:17: --audit-interval is 'never'; allowed: a time from 10s",
        "data: [a, b] | 1:7: 'data' needs a value",
        "data: | 1:6: 'data' needs a value",
        "closed: [adopt, {a: b}] | 1:17: 'closed' needs a value or a list of them",
        "data: a\\ndata: b | 2:1: 'data' is there twice",
        "adopt: maybe | 1:8: 'maybe'; allowed: true or false",
        "[a] | 1:1: allowed: OPTION: VALUE a line",
        "data: \\\"a | 1:9: found unexpected end of stream",
        "a: &x [*x, *y] | 1:12: found undefined alias y",
      })
  void aMistakeIsToldWithItsLineAndColumn(String yaml, String message) throws Exception {
    assertThat(check(Map.of(), yaml.replace("\\n", "\n").replace("\\\"", "\""))).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("sluice: " + directory.resolve("sluice.yaml") + ":" + message);
  }

  @Test
  void aMistakeInTheEnvironmentIsToldWithItsName() throws Exception {
    assertThat(check(Map.of("SLUICE_HTTP", "8181"), "")).isEqualTo(2);
    assertThat(err.toString()).startsWith("sluice: SLUICE_HTTP: --http is '8181'; allowed: ");
  }

  @Test
  void aFileThatIsNotThereIsNamed() throws Exception {
    assertThat(check(Map.of("SLUICE_CONFIG", "/none"), "")).isEqualTo(2);
    err.getBuffer().setLength(0);
    int code =
        Main.commandLine(Optional.empty(), Map.of("SLUICE_CONFIG", "/none"))
            .setErr(new PrintWriter(err, true))
            .execute("serve", "--check");
    assertThat(code).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("sluice: /none: it cannot be read: there is no such file");
  }
}
