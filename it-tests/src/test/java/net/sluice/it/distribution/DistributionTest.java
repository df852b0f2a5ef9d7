package net.sluice.it.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import net.sluice.emulator.server.p4runtime.P4RuntimeServer;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.it.serve.SluiceProcess;
import net.sluice.testing.Http;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive that is installed: its contents, and the controller that starts from it. */
final class DistributionTest {
  private static final Path STANDALONE = Path.of("..", "controller-app", "standalone");

  private static final String TOPOLOGY =
      """
      {"ports": [{"number": 1, "role": "access", "rateBps": 100000000,
                  "destinationMac": "02:00:00:01:00:01"}],
       "bngPorts": {"0": 1}}
      """;

  @TempDir private Path folder;

  @BeforeEach
  void unpack() throws Exception {
    // Of the same build as this test: each of Maven's profiles has a folder of its own.
    Path classes =
        Path.of(DistributionTest.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path built =
        STANDALONE.resolve(Path.of("").toAbsolutePath().relativize(classes.getParent()).toString());
    List<Path> archives;
    try (Stream<Path> files = Files.list(built)) {
      archives = files.filter(file -> file.toString().endsWith(".tar.gz")).toList();
    }
    assertThat(archives).as("mvn package writes one to %s", built).hasSize(1);
    Process tar =
        new ProcessBuilder("tar", "-xzf", archives.get(0).toString(), "-C", folder.toString())
            .inheritIO()
            .start();
    assertThat(tar.waitFor()).isZero();
    try (Stream<Path> roots = Files.list(folder)) {
      folder = roots.findFirst().orElseThrow();
    }
  }

  @Test
  void itHasTheControllerAndNothingOfEmulatorLabOrTests() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("bin", "lib", "share", "systemd");
    }
    try (Stream<Path> files = Files.list(folder.resolve("lib"))) {
      List<String> jars = files.map(file -> file.getFileName().toString()).toList();
      assertThat(jars).allMatch(jar -> jar.endsWith(".jar"));
      assertThat(jars.stream().filter(jar -> jar.startsWith("sluice-")))
          .map(jar -> jar.replaceFirst("-\\d.*", ""))
          .containsExactlyInAnyOrder(
              "sluice-standalone",
              "sluice-cli",
              "sluice-client",
              "sluice-core",
              "sluice-endpoints",
              "sluice-northbound",
              "sluice-rest",
              "sluice-web",
              "sluice-intents",
              "sluice-pipeconf",
              "sluice-p4runtime",
              "sluice-gnmi",
              "sluice-gates",
              "sluice-fpga-driver");
      assertThat(jars)
          .noneMatch(
              jar ->
                  Pattern.compile("tests?\\.jar|janino|commons-compiler|jna|junit|assertj|onos")
                      .matcher(jar)
                      .find());
    }
  }

  @Test
  void itDrivesASwitch() throws Exception {
    requireDriving(folder.resolve("bin/sluice").toString());
  }

  /** What the image's engine would do, but for the file system around it. */
  @Test
  void theImagesUserRunsItsEntryPoint() throws Exception {
    String dockerfile = Files.readString(Path.of("..", "docker", "sluice", "Dockerfile"));
    String stage = dockerfile.substring(dockerfile.lastIndexOf("\nFROM "));
    Matcher copy = match("COPY --from=build (\\S+) (\\S+)", stage);
    assertThat(dockerfile)
        .contains("mkdir " + copy.group(1) + " ")
        .containsPattern("tar -xzf \\S+/sluice-\\*\\.tar\\.gz -C " + copy.group(1) + " ");
    Matcher entry = match("ENTRYPOINT \\[\"" + copy.group(2) + "/([^\"]+)\"]", stage);
    Matcher user = match("USER ([1-9]\\d*):([1-9]\\d*)", stage);
    assertThat(stage).contains("--gid " + user.group(2), "--uid " + user.group(1));
    Matcher data = match("CMD \\[\"serve\", \"--data\", \"([^\"]+)\"]", stage);
    assertThat(stage)
        .contains("VOLUME " + data.group(1))
        .containsPattern("install -d -o sluice .*" + data.group(1));

    List<String> command = new ArrayList<>();
    if (Files.getOwner(folder).getName().equals("root")) {
      Files.setPosixFilePermissions(
          folder.getParent(), PosixFilePermissions.fromString("rwxr-xr-x"));
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
      command.addAll(
          List.of(
              "setpriv",
              "--reuid=" + user.group(1),
              "--regid=" + user.group(2),
              "--clear-groups",
              "--inh-caps=-all"));
    }
    command.add(folder.resolve(entry.group(1)).toString());
    requireDriving(command.toArray(String[]::new));
  }

  private static String[] with(String[] command, String... more) {
    return Stream.concat(Stream.of(command), Stream.of(more)).toArray(String[]::new);
  }

  private static Matcher match(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as("%s in %s", pattern, text).isTrue();
    return matcher;
  }

  private void requireDriving(String... sluice) throws Exception {
    Path topology = Files.writeString(folder.resolve("topology.json"), TOPOLOGY);
    try (P4RuntimeServer device =
            P4RuntimeServer.start(
                new V1modelSwitch(1, 1),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        SluiceProcess serve =
            SluiceProcess.of(
                folder.resolve("log"),
                with(
                    sluice,
                    "serve",
                    "--http",
                    "127.0.0.1:0",
                    "--data",
                    folder.resolve("data").toString(),
                    "--switch",
                    "127.0.0.1:" + device.port(),
                    "--topology",
                    topology.toString()))) {
      Matcher api = Pattern.compile("API (\\S+),").matcher(serve.firstLine());
      assertThat(api.find()).isTrue();
      HttpResponse<String> gold =
          Http.send(
              "PUT",
              api.group(1) + "/policies/gold?waitMillis=60000",
              "{\"throughputValue\":{\"builtIn\":\"gold\"}}");
      assertThat(gold.statusCode()).as(gold.body()).isEqualTo(201);
      assertThat(gold.body()).contains("INSTALLED");
    }
  }
}
